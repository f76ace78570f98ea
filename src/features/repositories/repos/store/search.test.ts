import { CompiledQuery, sql, type UpdateObject } from "kysely";
import { expect, test } from "vitest";
import { createStatementRecorder, eachDialect } from "../../../../../test/kit/databases.ts";
import { rowsRead } from "../../../../../test/kit/plans.ts";
import { account, gitStore, repository } from "../../../../../test/kit/rows.ts";
import { type Actor, anonymous, type UserActor } from "../../../../access/actor.ts";
import { allScopes } from "../../../../access/scopes.ts";
import type { Tx } from "../../../../db/db.ts";
import type { Tables } from "../../../../db/tables.ts";
import { findRepositoriesById } from "../service/find.ts";
import { type RepositoryFilter, type RepositorySort, searchRepositoryIds } from "./search.ts";

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

  test("totals read the private repositories of an account, and not its public ones", async () => {
    if (dialect.name !== "sqlite") return;
    await using database = await dialect.create();
    const recorder = createStatementRecorder();
    const db = await database.open({ onStatement: recorder.onStatement });
    const [owner = 0] = await db.tx(seed);
    const [counted = ""] = await recorder.during(() =>
      searchRepositoryIds(db, userOf(owner), { sort: "stars", direction: "desc" }, { page: 1, limit: 10, offset: 0 }),
    );
    const { rows: plan } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${counted}`));
    const steps = plan.map(({ detail }) => detail).filter((step) => step.startsWith("SEARCH p "));
    expect(steps).toEqual(Array.from({ length: 2 }, () => "SEARCH p USING COVERING INDEX repositories_owned (owner_id=? AND audience<?)"));
  });

  test("lists by kind and state have exact totals after each change of a repository, its parent and its owner", { timeout: 60_000 }, async () => {
    await using database = await dialect.open();
    const { db } = database;
    const owners = await db.tx(seed);
    const stranger = await db.tx((tx) => account(tx, { name: "stranger", name_folded: "stranger" }));
    const callers = [anonymous, userOf(stranger), userOf(owners[2] ?? 0), userOf(stranger, { isAdmin: true }), userOf(owners[0] ?? 0, { isRestricted: true })];
    const set = (at: number, step: number, values: Readonly<Record<string, unknown>>): Promise<unknown> =>
      db.tx((tx) =>
        tx.sql
          .updateTable("repositories")
          .set(values as UpdateObject<Tables, "repositories">)
          .where((eb) => eb(eb("id", "%", step), "=", at))
          .execute(),
      );
    const changes: readonly (() => Promise<unknown>)[] = [
      () => set(0, 5, { is_template: 1 }),
      () => set(1, 3, { is_archived: 1 }),
      () => set(2, 7, { is_mirror: 1 }),
      () => set(3, 50, { fork_of: sql`id - 1` }),
      () => set(2, 100, { deleted_ms: 7 }),
      () => set(2, 200, { deleted_ms: null }),
      () => set(4, 9, { is_private: 0, is_archived: 0 }),
      () =>
        db.tx((tx) =>
          tx.sql
            .updateTable("accounts")
            .set({ visibility: "private" })
            .where("id", "=", owners[1] ?? 0)
            .execute(),
        ),
      () => db.tx((tx) => tx.sql.deleteFrom("repositories").where("id", "in", [2, 52, 60]).execute()),
    ];
    const filters: readonly Partial<RepositoryFilter>[] = [
      { kind: "fork" },
      { kind: "source" },
      { kind: "mirror", isArchived: true },
      { isTemplate: true },
      { isArchived: false, isPrivate: true },
      { isTemplate: false, isOpenOnly: true },
      { priorityOwnerId: owners[0] ?? 0 },
      { priorityOwnerId: owners[3] ?? 0, isArchived: false },
    ];
    for (const [at, change] of changes.entries()) {
      await change();
      const rows = await db.sql.selectFrom("repositories").selectAll().orderBy("id").execute();
      const present = new Set(rows.flatMap((row) => (row.deleted_ms === null ? row.id : [])));
      const isFork = (row: (typeof rows)[number]): boolean => row.fork_of !== null && present.has(row.fork_of);
      for (const [who, actor] of callers.entries()) {
        const readable = await findRepositoriesById(
          { db },
          rows.map(({ id }) => id),
          actor,
        );
        for (const filter of filters) {
          const matching = rows.filter(
            (row) =>
              readable.has(row.id) &&
              (filter.kind === undefined ||
                (filter.kind === "mirror" ? row.is_mirror === 1 : filter.kind === "fork" ? isFork(row) : !isFork(row) && row.is_mirror === 0)) &&
              (filter.isTemplate === undefined || (row.is_template === 1) === filter.isTemplate) &&
              (filter.isArchived === undefined || (row.is_archived === 1) === filter.isArchived) &&
              (filter.isPrivate === undefined || (row.is_private === 1) === filter.isPrivate) &&
              (filter.isOpenOnly !== true || row.audience === 3),
          );
          const rank = (row: (typeof rows)[number]): number => (filter.priorityOwnerId === row.owner_id ? 0 : 1);
          const expected = matching.toSorted((one, other) => rank(one) - rank(other) || one.id - other.id).map(({ id }) => id);
          for (const offset of [0, 35, Math.max(0, expected.length - 3), 500]) {
            const found = await searchRepositoryIds(db, actor, { ...filter, sort: "id", direction: "asc" }, { page: 1, limit: 10, offset });
            const place = JSON.stringify([at, who, filter, offset]);
            expect([place, found]).toEqual([place, { items: expected.slice(offset, offset + 10), total: expected.length }]);
          }
        }
      }
    }
  });

  test("the first of the repositories given to an account are found without reading those of others", async () => {
    await using database = await dialect.create();
    const sent: { readonly text: string; readonly values: readonly unknown[] }[] = [];
    const db = await database.open({ onStatement: (text, values) => void sent.push({ text, values }) });
    const others = 4_000;
    const { owner, ids } = await db.tx(async (tx) => {
      const stranger = await account(tx, { name: "stranger", name_folded: "stranger" });
      const owner = await account(tx, { name: "owner", name_folded: "owner" });
      const ids: number[] = [];
      // Those of the owner are the oldest of the order.
      for (let at = 0; at < others + 100; at += 1) {
        const name = `r${at}`;
        const owner_id = at < 100 ? owner : stranger;
        const id = await repository(tx, { owner_id, code_store_id: await gitStore(tx), name, name_folded: name, updated_ms: at });
        if (at < 100) ids.unshift(id);
      }
      return { owner, ids };
    });
    if (dialect.name === "postgres") await sql`analyze`.execute(db.sql);
    const filter = { accessible: { accountId: owner, includesOwn: true, includesTeams: true }, sort: "updated", direction: "desc" } as const;
    sent.length = 0;
    const found = await searchRepositoryIds(db, userOf(owner), filter, { page: 1, limit: 10, offset: 0 });
    expect(found).toEqual({ items: ids.slice(0, 10), total: 100 });
    expect(sent).toHaveLength(1);
    const [statement] = sent;
    if (dialect.name === "postgres" && statement !== undefined) expect(await rowsRead(db, statement.text, statement.values)).toBeLessThan(others / 4);
  });
});
