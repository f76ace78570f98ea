import { type SqlBool, sql } from "kysely";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../../test/kit/forge.ts";
import { rowsRead } from "../../../../../../test/kit/plans.ts";
import { account, gitStore, repository } from "../../../../../../test/kit/rows.ts";
import type { IssueFilter, IssueScope } from "./filter.ts";
import { pageOrderedIds } from "./ordered.ts";
import { findTexts, searchWords } from "./search.ts";

const whole = { page: 1, limit: 5_000, offset: 0 };

eachDialect((dialect) => {
  test("finds a very common word in the newest texts of a repository, even if other repositories have many newer ones", async () => {
    await using forge = await startForge({ dialect });
    const { db } = forge.context;
    const alice = await forge.createUser("alice");
    const make = async (name: string): Promise<number> => (await alice.post("/user/repos", { name }).expect(201)).id;
    const [small, large] = [await make("small"), await make("large")];
    const texts = dialect.name === "sqlite" ? sql`issue_texts (rowid, content)` : sql`issue_texts (id, content)`;
    const fill = (repoId: number, count: number) =>
      db.tx(async (tx) => {
        await sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < cast(${count} as bigint))
          insert into issues (repo_id, number, is_pull, title, content, ref, poster_id, created_ms, updated_ms)
          select ${repoId}, k, 0, 'a common heron', '', '', case when k <= 3 then cast(${alice.id} as bigint) end, k, k from n`.execute(tx.sql);
        await sql`insert into ${texts} select id, title from issues where repo_id = ${repoId}`.execute(tx.sql);
      });
    await fill(small, 5);
    await fill(large, 1_100);
    const everywhere = { issues: sql<SqlBool>`1 = 1`, pulls: sql<SqlBool>`1 = 1` };
    const found = async (within: IssueScope, text: string, more: Partial<IssueFilter> = {}) => {
      const filter = { within, texts: await findTexts(db, searchWords(text), { within, isNarrow: false }), ...more };
      const { items, total } = await pageOrderedIds(db, filter, "newest", whole);
      const rows = await db.sql
        .selectFrom("issues")
        .select(["repo_id", "number"])
        .where("id", "in", [0, ...items])
        .orderBy("id", "desc")
        .execute();
      return { total, numbers: rows.map(({ repo_id, number }) => `${repo_id === small ? "small" : "large"} ${number}`) };
    };
    expect(await found({ repoId: small }, "heron")).toEqual({ total: 5, numbers: [5, 4, 3, 2, 1].map((number) => `small ${number}`) });
    const newest = Array.from({ length: 1_000 }, (_, index) => `large ${1_100 - index}`);
    expect(await found({ repoId: large }, "heron")).toEqual({ total: 1_000, numbers: newest });
    expect(await found(everywhere, "common heron")).toEqual({ total: 500, numbers: newest.slice(0, 500) });
    // Other filters apply before the newest texts are taken.
    expect(await found(everywhere, "heron", { posterId: alice.id })).toEqual({
      total: 6,
      numbers: [3, 2, 1].map((number) => `large ${number}`).concat([3, 2, 1].map((number) => `small ${number}`)),
    });
    expect(await found(everywhere, "heron an", { posterId: alice.id })).toMatchObject({ total: 0 });
    expect(await found({ repoId: small }, "nowhere")).toEqual({ total: 0, numbers: [] });
  });

  test("reads few issues for a word that a tenth of the texts contains", async () => {
    await using database = await dialect.create();
    const sent: { readonly text: string; readonly values: readonly unknown[] }[] = [];
    const onStatement = (text: string, values: readonly unknown[]): void => void sent.push({ text, values });
    const filling = await database.open({ onStatement });
    const [repositories, count] = [2, 20_000];
    await filling.tx(async (tx) => {
      const owner_id = await account(tx, { name: "owner", name_folded: "owner" });
      const ids: number[] = [];
      for (let at = 0; at < repositories; at += 1)
        ids.push(await repository(tx, { owner_id, code_store_id: await gitStore(tx), name: `r${at}`, name_folded: `r${at}`, issue_audience: 2 }));
      await sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < cast(${count} as bigint))
        insert into issues (repo_id, number, is_pull, title, content, ref, created_ms, updated_ms)
        select ${ids[0]} + k % ${repositories}, k, 0, case when k % 10 = 0 then 'a heron' else 'a kestrel' end, '', '', k, k from n`.execute(tx.sql);
      const texts = dialect.name === "sqlite" ? sql`issue_texts (rowid, content)` : sql`issue_texts (id, content)`;
      await sql`insert into ${texts} select id, title from issues`.execute(tx.sql);
    });
    if (dialect.name === "postgres") {
      await sql`analyze`.execute(filling.sql);
      // As if it overestimated the cost of single lookups, which it does for a million issues.
      await filling.tx((tx) => tx.script("do $$ begin execute format('alter database %I set enable_nestloop = off', current_database()); end $$"));
    }
    const db = dialect.name === "postgres" ? await database.open({ onStatement }) : filling;
    const readable = sql<SqlBool>`exists (select 1 from repositories r where r.id = i.repo_id and case +i.is_pull when 1 then +r.pull_audience >= 2 else
      (+r.issue_audience >= 2 or (+r.issue_audience >= 1 and exists (select 1 from collaborators c where c.repo_id = r.id and c.account_id = 7))) end)`;
    const within = { issues: readable, pulls: readable };
    const filter = { within, isClosed: false, texts: await findTexts(db, searchWords("heron"), { within, isNarrow: false }) };
    sent.length = 0;
    expect(await pageOrderedIds(db, filter, "newest", { page: 1, limit: 20, offset: 0 })).toMatchObject({ total: 500 });
    const [statement] = sent;
    expect(sent).toHaveLength(1);
    if (dialect.name === "postgres" && statement !== undefined) expect(await rowsRead(db, statement.text, statement.values)).toBeLessThan(count / 2);
  });
});
