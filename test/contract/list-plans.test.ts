import { CompiledQuery, sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Db } from "../../src/db/db.ts";
import { isPrepared } from "../../src/db/postgres.ts";
import type { Route } from "../../src/http/route.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";
import { rowsRead, rowsReadPrepared } from "../kit/plans.ts";

const repositories = 20_000;
const users = 3_000;
/** Repositories that one transaction of the seed adds. */
const together = 1_000;
/** A table with more rows than this is large. */
const few = 1_000;
/** PostgreSQL: rows that a statement may read. A scan of a large table reads more. */
const maxRows = 3_500;

/** Statements that read many rows of a large table, with the reason. */
const accepted: readonly (readonly [statement: RegExp, reason: string])[] = [
  [/^with granted \(id\)/, "at most 2,000 topics are compared, the most used ones first"],
  [/^with indexed \(id\)/, "at most 1,000 accounts are compared, and at most 2,000 sorted"],
  [/^with found as materialized \(select i\.id as id from \(select i\.id as id, i\.title from issues i/, "at most 5,000 issues are compared with a short word"],
];

/** Statements of PostgreSQL only, which chooses its plan by estimates. */
const acceptedInPostgres: typeof accepted = [
  [/^select r\.id from \(select r\.\* from/, "at most 1,000 repositories in the order of the list are compared"],
  [/\(select id from \(select i\.id as id from issue_texts t /, "texts are compared from the newest on, until 500 match"],
  [/^with ahead as materialized/, "at most 1,000 issues after the page are counted for each name; all repositories are joined if these are few"],
];

/** Values of the parameters in paths. Lists below other resources are limited to these. */
const parameters: Readonly<Record<string, string>> = {
  owner: "alice",
  repo: "r1",
  username: "alice",
  org: "acme",
  id: "1",
  index: "1",
  topic: "t1",
  team: "owners",
  group: "repositories",
};

const firstPage = "";
const secondPage = "page=2&limit=10";
const filters = ["labels=bug,rare&state=all", "q=repo-1&archived=false", "q=u1&sort=newest", `template=true&mode=fork&archived=false&${secondPage}`];

/** Without the filters of which a route reads no parameter. */
function queriesOf({ query = {} }: Route): readonly string[] {
  const isRead = (filter: string): boolean => [...new URLSearchParams(filter).keys()].some((name) => name in query);
  return [firstPage, secondPage, ...filters.filter(isRead)];
}

const isList = ({ method, answers, isPage }: Route): boolean => method === "GET" && (isPage || answers.kind === "list" || answers.kind === "envelope");

/** The address of a list; undefined if it is below another resource. */
function addressOf({ path, mount }: Route): string | undefined {
  const names = [...path.matchAll(/\{(\w+)[+*]?\}/g)].map(([, name = ""]) => name);
  if (names.some((name) => parameters[name] === undefined)) return undefined;
  return `${mount === "api" ? "/api/v1" : ""}${path.replace(/\{(\w+)[+*]?\}/g, (_, name: string) => parameters[name] ?? "")}`;
}

type Statement = ReturnType<typeof sql>;

/** Spreads repositories, stars, watches, activities and notifications over the accounts. Alice has a few of each. */
async function seed(db: Db, aliceId: number, chiefId: number): Promise<void> {
  const textKey = db.dialect === "sqlite" ? sql`rowid` : sql`id`;
  const numbers = (n: number) => sql`with recursive n(k) as (select 1 union all select k + 1 from n where k < ${sql.lit(n)})`;
  const [alice, chief] = [sql.lit(aliceId), sql.lit(chiefId)];
  const account = sql`(select max(id) from accounts) - id % ${sql.lit(users)}`;
  const addRepositories = (above: number, count: number) => [
    sql`${numbers(count)} insert into git_stores (object_format, head_ref, created_ms, size_bytes) select 'sha1', 'refs/heads/main', k, k from n`,
    sql`insert into repositories (owner_id, name, name_folded, description, website, original_url, is_private, is_template, is_archived, is_mirror, is_empty,
      code_store_id, default_branch, trust_model, avatar, settings, licenses, language, created_ms, updated_ms, archived_ms, stars_count)
      select ${account}, 'repo-' || id, 'repo-' || id, 'number ' || id, '', '', case when id % 4 = 3 then 1 else 0 end,
      case when id % 500 = 1 then 1 else 0 end, case when id % 20 = 1 then 1 else 0 end, case when id % 30 = 1 then 1 else 0 end, 1, id, 'main', 'default',
      '', '{}', '', '', id, id, 0, id % 7 from git_stores where id > ${sql.lit(above)} and id not in (select code_store_id from repositories)`,
  ];
  const inParts = (statement: (part: Statement) => Statement): readonly Statement[] =>
    Array.from({ length: repositories / together }, (_, at) => statement(sql`id % ${sql.lit(repositories / together)} = ${sql.lit(at)}`));
  const accounts = [
    sql`${numbers(users)} insert into accounts (kind, name, name_folded, full_name, email, description, website, location, visibility, avatar, created_ms,
      updated_ms) select case when k % 4 = 0 then 'organization' else 'user' end, 'u' || k, 'u' || k, '', 'u' || k || '@example.com', '', '', '',
      case when k % 10 = 9 then 'private' else 'public' end, '', k, k from n`,
    sql`insert into organization_members (org_id, account_id, is_public) select id, ${chief}, 0 from accounts where kind = 'organization' and id % 200 = 0`,
    sql`insert into follows (target_id, account_id, created_ms) select id, ${alice}, 1 from accounts where kind = 'user' and id % 50 = 7 and id <> ${alice}`,
    sql`${numbers(2_000)} insert into topics (name, repo_count, created_ms, updated_ms) select 't' || k, 10, 1, 1 from n`,
  ];
  const others: readonly (Statement | readonly Statement[])[] = [
    sql`update repositories set fork_of = id - 1 where id % 25 = 0`,
    sql`insert into issues (repo_id, number, is_pull, title, content, ref, created_ms, updated_ms, poster_id)
      select id, 1, 0, case when id % 9 = 0 then 'found in repo-1' else 'title' end, '', '', 1, 1, ${account} from repositories where name <> 'r1'`,
    sql`insert into labels (repo_id, name, color, description, is_exclusive, is_archived, created_ms, updated_ms)
      select repo_id, case when id % 500 = 0 then 'rare' else 'bug' end, 'abcdef', '', 0, 0, 1, 1 from issues where id % 2 = 0`,
    inParts(
      (part) => sql`insert into issue_labels (issue_id, label_id) select i.id, l.id from issues i join labels l on l.repo_id = i.repo_id where i.${part}`,
    ),
    inParts((part) => sql`insert into issue_texts (${textKey}, content) select id, title from issues where ${part}`),
    inParts((part) => sql`update repositories set last_issue_number = 1, open_issues_count = 1 where name <> 'r1' and ${part}`),
    inParts(
      (part) => sql`insert into repository_topics (repo_id, topic_id)
      select id, case when id % 2 = 0 then 1 else 1 + id % 2000 end from repositories where id > 10 and ${part}`,
    ),
    sql`insert into stars (repo_id, account_id, created_ms) select id, ${alice}, id from repositories where id % 400 = 0`,
    sql`insert into stars (repo_id, account_id, created_ms) select id, ${account}, id from repositories`,
    sql`insert into watches (repo_id, account_id, created_ms) select id, ${alice}, id from repositories where id % 400 = 0`,
    sql`insert into watches (repo_id, account_id, created_ms) select id, ${account}, id from repositories`,
    sql`insert into activities (kind, actor_id, repo_id, owner_id, ref_name, subject, created_ms)
      select 'create_repo', owner_id, id, owner_id, '', '', id from repositories`,
    sql`insert into notifications (account_id, repo_id, status, created_ms, updated_ms) select ${account}, id, 'unread', id, id from repositories`,
    sql`insert into audit_log (created_ms, action, actor_id, actor_name, actor_folded, acting_as_name, carrier, address, target_kind, target_name, target_folded,
      account_name, account_folded, details) select id, 'user.created', ${chief}, 'chief', 'chief', '', 'token', '', 'user', 'u' || id, 'u' || id, '', '', '{}'
      from repositories`,
  ];
  // PostgreSQL keeps each version of a total until the end of a transaction.
  const run = (statements: readonly Statement[], isAnalyzed: boolean): Promise<void> =>
    db.tx(async (tx) => {
      for (const statement of statements) await statement.execute(tx.sql);
      if (db.dialect === "postgres" && isAnalyzed) await sql`analyze`.execute(tx.sql);
    });
  const parts = Array.from({ length: repositories / together }, (_, at) => addRepositories(at * together, together));
  const groups = [[accounts], parts, ...others.map((group) => (Array.isArray(group) ? group : [group]).map((statement) => [statement]))];
  // Statements of triggers are planned for the rows of the last analysis. An analysis of all tables takes longer than most parts.
  for (const group of groups) for (const [at, part] of group.entries()) await run(part, at === 0 || at === group.length - 1);
}

/** SQLite: names of large tables. */
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

/** SQLite: steps of a plan that read all rows of a large table, or sort them. */
async function unboundedSteps(db: Db, statement: string, large: ReadonlySet<string>): Promise<readonly string[]> {
  const aliases = new Map([...statement.matchAll(/(?:from|join|,)\s+"?(\w+)"?(?:\s+as)?\s+"?(\w+)"?/g)].map(([, table = "", alias = ""]) => [alias, table]));
  const { rows } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
  const steps = rows.map(({ detail }) => detail);
  const subqueries = new Set([...statement.matchAll(/\)\s+(?:as\s+)?"?(\w+)"?/g)].map(([, alias = ""]) => alias));
  const sorts = steps.some((step) => step.includes("TEMP B-TREE FOR ORDER BY"));
  // Rows are in the order of their ids.
  const isById = /order by "id"( desc)? limit/.test(statement);
  return steps.filter((step) => {
    // There are only two kinds of accounts.
    const [, name = "", index] = /^(?:SCAN|SEARCH(?= accounts .*\(kind=\?\))) (\w+)(?: (USING .*INDEX))?/.exec(step) ?? [];
    const isLarge = large.has(aliases.get(name) ?? name);
    const isSubquery = index === undefined && subqueries.has(name);
    return isLarge && !isSubquery && ((index === undefined && !isById) || sorts || !/\blimit\b/.test(statement));
  });
}

/** How a statement reads too many rows; empty if it does not. */
async function faultsOf(db: Db, statement: string, values: readonly unknown[], large: ReadonlySet<string>): Promise<readonly string[]> {
  if (db.dialect === "sqlite") return unboundedSteps(db, statement, large);
  const rows = await rowsRead(db, statement, values);
  return rows > maxRows ? [`${rows} rows`] : [];
}

async function statusOf(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}

eachDialect((dialect) => {
  describe("lists of a site with 20,000 repositories", () => {
    test("no list reads or sorts all rows of a large table, for any kind of caller", { timeout: 480_000 }, async () => {
      await using forge = await startForge({ dialect });
      const { db } = forge.context;
      const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob", { restricted: true })];
      await alice.post("/orgs", { username: "acme" }).expect(201);
      await alice.post("/user/repos", { name: "r1", auto_init: true }).expect(201);
      await alice.put("/repos/alice/r1/collaborators/bob", { permission: "read" }).expect(204);
      await seed(db, alice.id, forge.admin.id);
      const large = dialect.name === "sqlite" ? await largeTables(db) : new Set<string>();
      if (dialect.name === "sqlite") expect([...large]).toEqual(expect.arrayContaining(["accounts", "git_stores", "issues", "repositories", "topics"]));

      const lists = new Map(forge.forge.routes.filter(isList).flatMap((route) => [[addressOf(route), queriesOf(route)] as const]));
      lists.delete(undefined);
      const addresses = [...lists].map(([address = "", queries]) => ({ address, queries }));
      expect(addresses.length).toBeGreaterThan(60);
      const found = new Map<string, { readonly address: string; readonly statement: string; readonly values: readonly unknown[] }>();
      for (const caller of [forge.admin, alice, bob, undefined]) {
        const headers: Record<string, string> = caller === undefined ? {} : { authorization: `token ${caller.token}` };
        for (const { address, queries } of addresses) {
          const {
            result,
            statements,
            parameters: values,
          } = await forge.cost(() =>
            Promise.all(queries.map((query) => fetch(`${forge.url}${address}?${query}`, { headers, redirect: "manual" }).then(statusOf))),
          );
          expect([address, result.filter((status) => status >= 500)]).toEqual([address, []]);
          for (const [at, statement] of statements.entries()) {
            if (!/^\s*(select|with)\b/i.test(statement)) continue;
            // The rows that PostgreSQL reads depend on the caller and the values.
            const given = values[at] ?? [];
            const key = dialect.name === "sqlite" ? statement : JSON.stringify([statement, given]);
            found.set(key, { address: `${caller?.name}: ${address}`, statement, values: given });
          }
        }
      }
      const wrong: string[] = [];
      const used = new Set<string>();
      const prepared = new Set<string>();
      for (const { address, statement, values } of found.values()) {
        const faults = [...(await faultsOf(db, statement, values, large))];
        // The plan of a prepared statement does not depend on the values.
        if (dialect.name === "postgres" && isPrepared(statement) && !prepared.has(statement)) {
          prepared.add(statement);
          const rows = await rowsReadPrepared(db, statement, values);
          if (rows > maxRows) faults.push(`${rows} rows once it is prepared`);
        }
        for (const fault of faults) {
          const [, reason] = [...accepted, ...(dialect.name === "sqlite" ? [] : acceptedInPostgres)].find(([pattern]) => pattern.test(statement)) ?? [];
          if (reason === undefined) wrong.push(`${address}: ${fault}: ${statement.replaceAll(/\s+/g, " ").slice(0, 300)}`);
          else used.add(reason);
        }
      }
      expect(wrong).toEqual([]);
      if (dialect.name === "sqlite") expect([...used].toSorted()).toEqual(accepted.map(([, reason]) => reason).toSorted());
    });
  });
});
