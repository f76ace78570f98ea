import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { createStatementRecorder, eachDialect } from "../../../../../test/kit/databases.ts";
import { account, gitStore, repository } from "../../../../../test/kit/rows.ts";
import { type Actor, anonymous, type UserActor } from "../../../../access/actor.ts";
import { allScopes } from "../../../../access/scopes.ts";
import type { Tx } from "../../../../db/db.ts";
import { findRepositoriesById } from "../service/find.ts";
import { type RepositorySort, searchRepositoryIds } from "./search.ts";

const count = 400;

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

/** Repositories with shuffled values for each order. A third is private, and some owners are hidden. */
async function seed(tx: Tx): Promise<readonly number[]> {
  const owners: number[] = [];
  for (const [at, visibility] of (["public", "limited", "private", "public"] as const).entries()) {
    owners.push(await account(tx, { name: `owner${at}`, name_folded: `owner${at}`, visibility }));
  }
  for (let at = 0; at < count; at += 1) {
    const shuffled = (at * 7_919) % count;
    const name = `r${String(shuffled).padStart(3, "0")}`;
    const code_store_id = await gitStore(tx);
    await tx.sql
      .updateTable("git_stores")
      .set({ size_bytes: ((at * 31) % count) * 10 })
      .where("id", "=", code_store_id)
      .execute();
    const values = { stars_count: shuffled % 7, forks_count: (shuffled * 13) % 50, updated_ms: (shuffled * 17) % count, created_ms: at };
    const id = await repository(tx, { owner_id: owners[at % 4] ?? 0, code_store_id, name, name_folded: name, is_private: at % 3 === 0 ? 1 : 0, ...values });
    if (at % 100 === 7) await tx.sql.updateTable("repositories").set({ deleted_ms: 5 }).where("id", "=", id).execute();
  }
  return owners;
}

eachDialect((dialect) => {
  test("pages repositories in each order from either end, with stored totals and without sorting all of them", { timeout: 60_000 }, async () => {
    await using database = await dialect.create();
    const recorder = createStatementRecorder();
    const db = await database.open({ onStatement: recorder.onStatement });
    const owners = await db.tx(seed);
    const stranger = await db.tx((tx) => account(tx, { name: "stranger", name_folded: "stranger" }));
    const limited = await db.tx((tx) => account(tx, { name: "limited", name_folded: "limited" }));
    await db.tx((tx) => tx.sql.insertInto("collaborators").values({ repo_id: 4, account_id: limited, mode: "read", created_ms: 1 }).execute());
    const rows = await db.sql
      .selectFrom("repositories as r")
      .innerJoin("accounts as o", "o.id", "r.owner_id")
      .innerJoin("git_stores as s", "s.id", "r.code_store_id")
      .select(["r.id", "o.name_folded as owner", "r.name_folded as name", "r.stars_count", "r.forks_count", "r.updated_ms", "r.created_ms", "s.size_bytes"])
      .execute();
    const keys: Readonly<Partial<Record<RepositorySort, (row: (typeof rows)[number]) => readonly (string | number)[]>>> = {
      alpha: ({ owner, name }) => [owner, name],
      created: ({ created_ms, id }) => [created_ms, id],
      updated: ({ updated_ms, id }) => [updated_ms, id],
      size: ({ size_bytes, id }) => [size_bytes, id],
      stars: ({ stars_count, id }) => [stars_count, id],
      forks: ({ forks_count, id }) => [forks_count, id],
      id: ({ id }) => [id],
    };
    const compare = (one: readonly (string | number)[], other: readonly (string | number)[]): number => {
      const at = one.findIndex((value, index) => value !== other[index]);
      return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1;
    };
    const callers = new Map<string, Actor>([
      ["anonymous", anonymous],
      ["stranger", userOf(stranger)],
      ["owner of a hidden account", userOf(owners[2] ?? 0)],
      ["administrator", userOf(stranger, { isAdmin: true })],
      ["restricted", userOf(limited, { isRestricted: true })],
    ]);
    for (const [name, actor] of callers) {
      const ids = rows.map(({ id }) => id);
      const readable = await findRepositoriesById({ db }, ids, actor);
      for (const [sort, keyOf] of Object.entries(keys)) {
        for (const direction of ["asc", "desc"] as const) {
          const ordered = rows.filter(({ id }) => readable.has(id)).sort((one, other) => compare(keyOf(one), keyOf(other)));
          const expected = (direction === "asc" ? ordered : ordered.toReversed()).map(({ id }) => id);
          const total = expected.length;
          for (const offset of [0, 20, Math.max(0, total - 5), total + 20]) {
            let found: Awaited<ReturnType<typeof searchRepositoryIds>> | undefined;
            const statements = await recorder.during(async () => {
              found = await searchRepositoryIds(db, actor, { sort: sort as RepositorySort, direction }, { page: 1, limit: 10, offset });
            });
            const place = `${name} by ${sort} ${direction} from ${offset}`;
            expect([place, found]).toEqual([place, { items: expected.slice(offset, offset + 10), total }]);
            // Few repositories are counted as they are sorted, and once more after the last page.
            expect([place, statements.length]).toEqual([place, (name === "restricted") === offset > total ? 2 : 1]);
            if (dialect.name !== "sqlite" || statements[1] === undefined || total < 100) continue;
            const { rows: plan } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statements[1]}`));
            expect([place, plan.map(({ detail }) => detail).filter((step) => step.includes("TEMP B-TREE FOR ORDER BY"))]).toEqual([place, []]);
          }
        }
      }
    }
  });
});
