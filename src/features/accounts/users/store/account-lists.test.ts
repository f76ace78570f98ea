import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { createStatementRecorder, eachDialect } from "../../../../../test/kit/databases.ts";
import { account } from "../../../../../test/kit/rows.ts";
import { type AccountFilter, type AccountSort, pageAccountIds } from "./account-lists.ts";

const visibilities = ["public", "limited", "private"] as const;
const sorts: readonly AccountSort[] = (["name_folded", "id", "updated_ms"] as const).flatMap((by) =>
  (["asc", "desc"] as const).map((direction) => ({ by, direction })),
);
const all: AccountFilter = { kind: "user", text: "", searchesEmail: false, visibilities, sort: { by: "id", direction: "asc" } };

eachDialect((dialect) => {
  test("pages accounts in each order from either end, and finds parts of names, with totals after each change", { timeout: 60_000 }, async () => {
    await using database = await dialect.create();
    const recorder = createStatementRecorder();
    const db = await database.open({ onStatement: recorder.onStatement });
    await db.tx(async (tx) => {
      for (let at = 0; at < 60; at += 1) {
        const shuffled = (at * 37) % 60;
        const name = `${shuffled % 3 === 0 ? "x" : "name"}${shuffled}`;
        const more = { full_name: at % 5 === 0 ? 'Ada O\'Neil "50%"' : "", email: `${name}@host${at % 4}.example`, updated_ms: shuffled % 9 };
        await account(tx, {
          kind: at % 7 === 0 ? "organization" : "user",
          name,
          name_folded: name,
          visibility: visibilities[at % 3] ?? "public",
          ...more,
        });
      }
    });
    const change =
      (statement: string): (() => Promise<unknown>) =>
      () =>
        db.tx((tx) => tx.sql.executeQuery(CompiledQuery.raw(statement)));
    const changes = [
      async () => {},
      change("update accounts set visibility = 'private' where name_folded like 'name1%'"),
      change("update accounts set name = 'renamed', name_folded = 'renamed', full_name = 'Grace' where name_folded = 'name50'"),
      change("delete from accounts where name_folded in ('name4', 'x3')"),
    ];
    const filters: readonly Partial<AccountFilter>[] = [
      {},
      { kind: "organization" },
      { visibilities: ["public"], alwaysIds: sql`select id from accounts where name_folded in ('x0', 'name1', 'name10')` },
      { text: "Nam" },
      { text: "x" },
      { text: "e5", visibilities: ["public", "limited"] },
      { text: "o'neil \"50%" },
      { text: "host2.ex" },
      { text: "host2.ex", searchesEmail: true },
      { text: "GRACE", conditions: [sql`a.is_admin = 0`] },
      { conditions: [sql`a.is_admin = 1`] },
      { kind: "organization", chosenIds: sql`select id from accounts where id % 2 = 0`, visibilities: ["public"] },
    ];
    for (const [at, run] of changes.entries()) {
      await run();
      const rows = await db.sql.selectFrom("accounts").selectAll().execute();
      const always = new Set(rows.flatMap((row) => (["x0", "name1", "name10"].includes(row.name_folded) ? row.id : [])));
      for (const partial of filters) {
        for (const sort of sorts) {
          const filter: AccountFilter = { ...all, ...partial, sort };
          const word = filter.text.toLowerCase();
          const expected = rows
            .filter(
              (row) =>
                row.kind === filter.kind &&
                (filter.visibilities.includes(row.visibility) || (filter.alwaysIds !== undefined && always.has(row.id))) &&
                [row.name_folded, row.full_name.toLowerCase(), ...(filter.searchesEmail ? [row.email] : [])].some((text) => text.includes(word)) &&
                (filter.chosenIds === undefined || row.id % 2 === 0) &&
                (partial.text === undefined && partial.conditions !== undefined ? row.is_admin === 1 : true),
            )
            .sort((one, other) => {
              const order = one[sort.by] < other[sort.by] ? -1 : one[sort.by] > other[sort.by] ? 1 : one.id - other.id;
              return sort.direction === "asc" ? order : -order;
            })
            .map(({ id }) => id);
          for (const offset of [0, 5, Math.max(0, expected.length - 3), 100]) {
            let found: unknown;
            const statements = await recorder.during(async () => {
              found = await pageAccountIds(db, filter, { page: 1, limit: 10, offset });
            });
            const place = JSON.stringify([at, filters.indexOf(partial), sort, offset]);
            expect([place, found]).toEqual([place, { items: expected.slice(offset, offset + 10), total: expected.length }]);
            expect([place, statements.length <= 2]).toEqual([place, true]);
          }
        }
      }
    }
  });

  test("a frequent word finds the first accounts in the order of the list", { timeout: 60_000 }, async () => {
    await using database = await dialect.open();
    const { db } = database;
    await db.tx((tx) =>
      sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < 2500)
        insert into accounts (kind, name, name_folded, full_name, email, description, website, location, visibility, avatar, created_ms, updated_ms)
        select 'user', 'robot' || (10000 - k), 'robot' || (10000 - k), '', '', '', '', '', 'public', '', 1, k % 100 from n`.execute(tx.sql),
    );
    for (const sort of sorts) {
      const { items, total } = await pageAccountIds(db, { ...all, text: "robot", sort }, { page: 1, limit: 20, offset: 0 });
      const first = await pageAccountIds(db, { ...all, sort }, { page: 1, limit: 20, offset: 0 });
      expect([sort, items]).toEqual([sort, first.items]);
      expect(total).toBeGreaterThanOrEqual(1_000);
    }
  });
});
