import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { account, gitStore, repository } from "../../../../../test/kit/rows.ts";
import { type Actor, anonymous, type UserActor } from "../../../../access/actor.ts";
import { allScopes } from "../../../../access/scopes.ts";
import { findRepositoriesById } from "../service/find.ts";
import { addTopics, removeTopics, searchTopics } from "./topics.ts";

const userOf = (id: number, more: Partial<UserActor> = {}): UserActor => ({
  kind: "user",
  id,
  name: `user${id}`,
  fullName: "",
  email: "",
  hideEmail: false,
  isAdmin: false,
  isRestricted: false,
  credential: { kind: "password", scopes: allScopes, isBasic: true },
  ...more,
});

eachDialect((dialect) => {
  test("counts the topics of the repositories that each caller can read, after each change", { timeout: 60_000 }, async () => {
    await using database = await dialect.open();
    const { db } = database;
    const { owners, ids } = await db.tx(async (tx) => {
      const owners: number[] = [];
      for (const visibility of ["public", "limited", "private"] as const) {
        owners.push(await account(tx, { name: `${visibility}-owner`, name_folded: `${visibility}-owner`, visibility }));
      }
      const ids: number[] = [];
      for (let at = 0; at < 30; at += 1) {
        const row = {
          owner_id: owners[at % 3] ?? 0,
          code_store_id: await gitStore(tx),
          name: `r${at}`,
          name_folded: `r${at}`,
          is_private: at % 4 === 0 ? 1 : 0,
        };
        const id = await repository(tx, row as Parameters<typeof repository>[1]);
        ids.push(id);
        await addTopics(tx, id, ["tool", ...(at % 2 === 0 ? ["cool-tool"] : []), ...(at % 8 === 0 ? ["50_tools", `own-${at}`] : [])]);
      }
      return { owners, ids };
    });
    const [stranger, shared] = await db.tx(async (tx) => [
      await account(tx, { name: "stranger", name_folded: "stranger" }),
      await account(tx, { name: "shared", name_folded: "shared" }),
    ]);
    await db.tx((tx) =>
      tx.sql
        .insertInto("collaborators")
        .values({ repo_id: ids[8] ?? 0, account_id: shared ?? 0, mode: "read", created_ms: 1 })
        .execute(),
    );
    const callers: readonly Actor[] = [
      anonymous,
      userOf(stranger ?? 0),
      userOf(stranger ?? 0, { isAdmin: true }),
      userOf(shared ?? 0),
      userOf(shared ?? 0, { isRestricted: true }),
      userOf(owners[2] ?? 0),
    ];
    const set = (id: number, values: { readonly is_private?: 0 | 1; readonly deleted_ms?: number | null }) =>
      db.tx((tx) => tx.sql.updateTable("repositories").set(values).where("id", "=", id).execute());
    const changes: readonly (() => Promise<unknown>)[] = [
      async () => {},
      () => set(ids[1] ?? 0, { is_private: 1 }),
      () => set(ids[2] ?? 0, { deleted_ms: 5 }),
      () => set(ids[2] ?? 0, { deleted_ms: null }),
      () =>
        db.tx((tx) =>
          tx.sql
            .updateTable("accounts")
            .set({ visibility: "public" })
            .where("id", "=", owners[1] ?? 0)
            .execute(),
        ),
      () => db.tx((tx) => removeTopics(tx, ids[3] ?? 0, ["tool"])),
      () =>
        db.tx((tx) =>
          tx.sql
            .deleteFrom("repositories")
            .where("id", "=", ids[6] ?? 0)
            .execute(),
        ),
    ];
    for (const [at, change] of changes.entries()) {
      await change();
      const pairs = await db.sql
        .selectFrom("repository_topics as rt")
        .innerJoin("topics as t", "t.id", "rt.topic_id")
        .select(["rt.repo_id", "t.name"])
        .execute();
      for (const [who, actor] of callers.entries()) {
        const readable = await findRepositoriesById({ db }, ids, actor);
        for (const text of ["", "OO", "tool", "own-", "_", "nothing"]) {
          const counts = new Map<string, number>();
          for (const { repo_id, name } of pairs) {
            if (readable.has(repo_id) && name.includes(text.toLowerCase())) counts.set(name, (counts.get(name) ?? 0) + 1);
          }
          const expected = [...counts].toSorted(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
          const { items, total } = await searchTopics(db, actor, text, { page: 1, limit: 50, offset: 0 });
          expect([at, who, text, items.map(({ name, repoCount }) => [name, repoCount]), total]).toEqual([at, who, text, expected, expected.length]);
          const beyond = await searchTopics(db, actor, text, { page: 2, limit: 50, offset: 50 });
          expect(beyond).toEqual({ items: [], total: expected.length });
        }
      }
    }
  });
});
