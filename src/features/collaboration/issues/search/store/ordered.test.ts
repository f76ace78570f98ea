import { type SqlBool, sql } from "kysely";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../../test/kit/forge.ts";
import { type IssueFilter, isOneRepository } from "./filter.ts";
import { countedAhead } from "./list.ts";
import { pageOrderedIds } from "./ordered.ts";

const count = 9_000;

eachDialect((dialect) => {
  test("lists matches by update time, whether or not enough of them are among the latest changes", async () => {
    await using forge = await startForge({ dialect });
    const { db } = forge.context;
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const repoIds: number[] = [];
    for (const name of ["one", "two"]) repoIds.push((await alice.post("/user/repos", { name }).expect(201)).id);
    const [one = 0, two = 0] = repoIds;
    const label = (await alice.post("/repos/alice/one/labels", { name: "even", color: "#abcdef" }).expect(201)).id as number;
    // Each issue has its own update time, in shuffled order. Half of the issues are alice's; bob's are among the others and were
    // updated long ago.
    await db.tx(async (tx) => {
      await sql`with recursive n(k) as (select 0 union all select k + 1 from n where k < cast(${count - 1} as bigint)), c(k, at) as (select k, (k * 7919) % ${count} from n)
        insert into issues (repo_id, number, is_pull, is_closed, title, content, ref, poster_id, created_ms, updated_ms)
        select case when at % 3 = 0 then cast(${two} as bigint) else cast(${one} as bigint) end, k + 1, 0, case when at % 10 = 9 then 1 else 0 end, '', '', '',
          case when at % 2 = 0 then cast(${alice.id} as bigint) when at < 7000 then cast(${bob.id} as bigint) end, k, at from c`.execute(tx.sql);
      await sql`insert into issue_labels (issue_id, label_id) select id, cast(${label} as bigint) from issues where updated_ms % 2 = 0 and repo_id = ${one}`.execute(
        tx.sql,
      );
    });
    const all = { issues: sql<SqlBool>`r.name in ('one', 'two')`, pulls: sql<SqlBool>`1 = 0` };
    const only = (repoId: number) => ({ repoId });
    const fits = (at: number, { within, posterId, labels, labelNames, isClosed }: IssueFilter): boolean =>
      (!isOneRepository(within) || within.repoId === (at % 3 === 0 ? two : one)) &&
      (posterId === undefined || posterId === (at % 2 === 0 ? alice.id : at < 7_000 ? bob.id : 0)) &&
      ((labels ?? labelNames) === undefined || (at % 2 === 0 && at % 3 !== 0)) &&
      (isClosed === undefined || isClosed === (at % 10 === 9));
    const byId = new Map((await db.sql.selectFrom("issues").select(["id", "updated_ms"]).execute()).map((row) => [row.id, row.updated_ms]));

    const filters: readonly IssueFilter[] = [
      { within: all, posterId: alice.id },
      { within: all, posterId: bob.id },
      { within: all, posterId: bob.id, isClosed: false },
      { within: only(one), posterId: alice.id },
      { within: all, labelNames: ["even", "none"] },
      { within: only(one), labels: [[label]], posterId: alice.id, isClosed: false },
      { within: only(two), labels: [[label]] },
    ];
    for (const [at, filter] of filters.entries()) {
      const fitting = Array.from({ length: count }, (_, index) => index).filter((index) => fits(index, filter));
      for (const [order, expected] of [
        ["updated", fitting.toReversed()],
        ["least-updated", fitting],
      ] as const) {
        for (const offset of [0, 1_450, 2_700, 3_200]) {
          const { items, total } = await pageOrderedIds(db, filter, order, { page: 1, limit: 50, offset });
          const name = `${order} from ${offset}: filter ${at}`;
          const counted = filter.labelNames === undefined ? fitting.length : Math.min(fitting.length, offset + 50 + countedAhead);
          expect([name, total, items.map((id) => byId.get(id))]).toEqual([name, counted, expected.slice(offset, offset + 50)]);
        }
      }
    }
  });
});
