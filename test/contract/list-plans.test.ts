import { CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "../../src/db/db.ts";
import type { Route } from "../../src/http/route.ts";
import { onSqlite } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";

const repositories = 20_000;
/** A table with more rows than this is large. */
const few = 1_000;

/** Statements that read a whole large table, with the reason. */
const accepted: readonly (readonly [statement: RegExp, reason: string])[] = [
  [/^select count\(\*\) as total from repositories r\s+where .*r\.is_archived = \?/s, "repositories are counted by kind, template or archive"],
  [/^with indexed as materialized/, "at most 1,000 repositories in the order of the list are compared, and at most 1,500 sorted"],
];

/** Values of the parameters in paths. Lists below other resources are limited to these. */
const parameters: Readonly<Record<string, string>> = { owner: "alice", repo: "r1", username: "alice", org: "acme" };

const isList = ({ method, answers, isPage }: Route): boolean => method === "GET" && (isPage || answers.kind === "list" || answers.kind === "envelope");

/** The address of a list; undefined if it is below another resource. */
function addressOf({ path, mount }: Route): string | undefined {
  const names = [...path.matchAll(/\{(\w+)[+*]?\}/g)].map(([, name = ""]) => name);
  if (names.some((name) => parameters[name] === undefined)) return undefined;
  return `${mount === "api" ? "/api/v1" : ""}${path.replace(/\{(\w+)[+*]?\}/g, (_, name: string) => parameters[name] ?? "")}`;
}

async function seed(db: Db, ownerIds: readonly number[]): Promise<void> {
  await db.tx(async (tx) => {
    await sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < ${repositories})
      insert into git_stores (object_format, head_ref, created_ms) select 'sha1', 'refs/heads/main', k from n`.execute(tx.sql);
    await sql`insert into repositories (owner_id, name, name_folded, description, website, original_url, is_private, is_template, is_archived, is_mirror, is_empty,
      code_store_id, default_branch, trust_model, avatar, settings, licenses, language, created_ms, updated_ms, archived_ms)
      select case when id % 2 = 0 then ${ownerIds[0]} else ${ownerIds[1]} end, 'repo-' || id, 'repo-' || id, '', '', '', id % 4 = 3, 0, 0, 0, 1,
      id, 'main', 'default', '', '{}', '', '', id, id, 0 from git_stores where id not in (select code_store_id from repositories)`.execute(tx.sql);
    await sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < 3000)
      insert into accounts (kind, name, name_folded, full_name, email, description, website, location, visibility, avatar, created_ms, updated_ms)
      select 'user', 'u' || k, 'u' || k, '', 'u' || k || '@example.com', '', '', '', 'public', '', 1, 1 from n`.execute(tx.sql);
    await sql`insert into issues (repo_id, number, is_pull, title, content, ref, created_ms, updated_ms)
      select id, 1, 0, 'title', '', '', 1, 1 from repositories where id > 10`.execute(tx.sql);
    await tx.sql.updateTable("repositories").set({ last_issue_number: 1, open_issues_count: 1 }).where("id", ">", 10).execute();
  });
}

/** Names of large tables. */
async function largeTables(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await db.sql.executeQuery<{ name: string }>(
    CompiledQuery.raw("select name from sqlite_schema where type = 'table' and name not like '%_texts_%' and name not like 'sqlite_%'"),
  );
  const large = new Set<string>();
  for (const { name } of rows) {
    const counted = await db.sql.executeQuery<{ n: number }>(CompiledQuery.raw(`select count(*) as n from "${name}"`));
    if (Number(counted.rows[0]?.n) > few) large.add(name);
  }
  return large;
}

/** Steps of a plan that read all rows of a large table, or sort them. */
async function unboundedSteps(db: Db, statement: string, large: ReadonlySet<string>): Promise<readonly string[]> {
  const aliases = new Map([...statement.matchAll(/(?:from|join|,)\s+"?(\w+)"?(?:\s+as)?\s+"?(\w+)"?/g)].map(([, table = "", alias = ""]) => [alias, table]));
  const { rows } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
  const steps = rows.map(({ detail }) => detail);
  const subqueries = new Set([...statement.matchAll(/\)\s+(?:as\s+)?"?(\w+)"?/g)].map(([, alias = ""]) => alias));
  const sorts = steps.some((step) => step.includes("TEMP B-TREE FOR ORDER BY"));
  return steps.filter((step) => {
    const [, name = "", index] = /^SCAN (\w+)(?: (USING .*INDEX))?/.exec(step) ?? [];
    const isLarge = large.has(aliases.get(name) ?? name);
    const isSubquery = index === undefined && subqueries.has(name);
    return isLarge && !isSubquery && (index === undefined || sorts || !/\blimit\b/.test(statement));
  });
}

onSqlite((dialect) => {
  test("no list reads or sorts all rows of a large table, for a user who sees everything and one who sees little", { timeout: 300_000 }, async () => {
    await using forge = await startForge({ dialect });
    const { db } = forge.context;
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob", { restricted: true })];
    await alice.post("/orgs", { username: "acme" }).expect(201);
    await alice.post("/user/repos", { name: "r1", auto_init: true }).expect(201);
    await alice.put("/repos/alice/r1/collaborators/bob", { permission: "read" }).expect(204);
    const owner = await forge.createUser("owner");
    await seed(db, [owner.id, forge.admin.id]);
    const large = await largeTables(db);
    expect([...large]).toEqual(expect.arrayContaining(["accounts", "git_stores", "issues", "repositories"]));

    const addresses = [...new Set(forge.forge.routes.filter(isList).flatMap((route) => addressOf(route) ?? []))];
    expect(addresses.length).toBeGreaterThan(60);
    const found = new Map<string, string>();
    for (const caller of [forge.admin, bob]) {
      const headers = { authorization: `token ${caller.token}` };
      for (const address of addresses) {
        for (const query of ["", "?q=repo-1", "?archived=false", "?page=2&limit=10"]) {
          const { result, statements } = await forge.cost(() => fetch(`${forge.url}${address}${query}`, { headers, redirect: "manual" }));
          await result.arrayBuffer();
          expect([address, result.status < 500]).toEqual([address, true]);
          for (const statement of statements) if (/^\s*(select|with)\b/i.test(statement)) found.set(statement, `${address}${query}`);
        }
      }
    }
    const wrong: string[] = [];
    const used = new Set<string>();
    for (const [statement, address] of found) {
      for (const step of await unboundedSteps(db, statement, large)) {
        const [, reason] = accepted.find(([pattern]) => pattern.test(statement)) ?? [];
        if (reason === undefined) wrong.push(`${address}: ${step}: ${statement.replaceAll(/\s+/g, " ").slice(0, 300)}`);
        else used.add(reason);
      }
    }
    expect(wrong).toEqual([]);
    expect([...used].toSorted()).toEqual(accepted.map(([, reason]) => reason).toSorted());
  });
});
