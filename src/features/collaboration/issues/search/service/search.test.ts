import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  test("reads the newest issues, or those of the readable repositories if they are few, and never a list of repositories", async () => {
    await using forge = await startForge({ dialect });
    const { db } = forge.context;
    const alice = await forge.createUser("alice");
    const restricted = await forge.createUser("restricted", { restricted: true });
    const make = async (name: string): Promise<number> => (await alice.post("/user/repos", { name, private: true }).expect(201)).id;
    const fill = (repoId: number, count: number) =>
      db.tx(async (tx) => {
        await sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < cast(${count} as bigint))
          insert into issues (repo_id, number, is_pull, title, content, ref, created_ms, updated_ms) select ${repoId}, k, 0, 'title', '', '', k, k from n`.execute(
          tx.sql,
        );
        await tx.sql.updateTable("repositories").set({ last_issue_number: count, open_issues_count: count }).where("id", "=", repoId).execute();
      });
    await fill(await make("small"), 5);
    await fill(await make("large"), 3_000);
    await alice.put("/repos/alice/small/collaborators/restricted", { permission: "read" }).expect(204);

    const list = async (caller: Pick<typeof alice, "get">, query = "") => {
      const { result, statements } = await forge.cost(() => caller.get(`/repos/issues/search?limit=2${query}`).expect(200));
      const page = statements.filter((text) => /\bissues i\b/.test(text) && /order by/.test(text));
      return { numbers: result.map(({ number }: { number: number }) => number), page, statements };
    };
    const total = async (caller: Pick<typeof alice, "get">): Promise<string | null> =>
      (await caller.get("/repos/issues/search?limit=2")).headers.get("x-total-count");

    const few = await list(restricted);
    const all = await list(alice);
    const none = await list(forge.anonymous);
    expect([few.numbers, all.numbers, none.numbers]).toEqual([[5, 4], [3_000, 2_999], []]);
    expect([await total(restricted), await total(alice), await total(forge.admin), await total(forge.anonymous)]).toEqual(["5", "3005", "3005", "0"]);
    expect((await list(restricted, "&page=3")).numbers).toEqual([1]);
    expect((await list(restricted, "&sort=oldest")).numbers).toEqual([1, 2]);
    if (dialect.name !== "sqlite") return;
    const readIssues = async (statement: string | undefined): Promise<readonly string[]> => {
      const { rows } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
      return rows.map(({ detail }) => detail).filter((step) => /^(SCAN|SEARCH) i\b/.test(step));
    };
    expect(await readIssues(few.page[0])).toEqual([expect.stringMatching(/^SEARCH i USING .*INDEX issues_\w+ \(repo_id=\?/)]);
    expect(await readIssues(all.page[0])).toEqual([expect.stringMatching(/^SCAN i USING COVERING INDEX issues_facts/)]);
  });
});
