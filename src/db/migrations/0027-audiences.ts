import type { Migration } from "./migration.ts";

/**
 * The audience of each repository, of its issues and of its pull requests, and how many of them each audience can read: lists across repositories
 * need neither to load the readable repositories nor to count. The database maintains both, whatever statement changes them.
 *
 * Audiences: 0 no user (deleted, or the unit is disabled), 1 users with a grant, 2 all signed-in users, 3 everyone.
 */
const audience = (row: string, isHidden: string): string => `case
  when ${isHidden} then 0
  when ${row}.is_private = 1 then 1
  else case (select visibility from accounts where id = ${row}.owner_id) when 'public' then 3 when 'limited' then 2 else 1 end end`;

const isDeleted = (row: string): string => `${row}.deleted_ms is not null`;

// Settings that are absent have their default: both units are enabled.
const unitsInSqlite = {
  issues: "coalesce(json_extract(repositories.settings, '$.hasIssues'), 1) = 1 and json_extract(repositories.settings, '$.externalTracker') is null",
  pulls: "coalesce(json_extract(repositories.settings, '$.hasPullRequests'), 1) = 1",
};
const unitsInPostgres = {
  issues: "coalesce(new.settings::json ->> 'hasIssues', 'true') = 'true' and new.settings::json ->> 'externalTracker' is null",
  pulls: "coalesce(new.settings::json ->> 'hasPullRequests', 'true') = 'true'",
};
const setAudiences = `update repositories set
  audience = ${audience("repositories", isDeleted("repositories"))},
  issue_audience = ${audience("repositories", `${isDeleted("repositories")} or not (${unitsInSqlite.issues})`)},
  pull_audience = ${audience("repositories", `${isDeleted("repositories")} or not (${unitsInSqlite.pulls})`)}`;

const counts = [
  ["issue_audience", "open_issues_count", 0, 0],
  ["issue_audience", "closed_issues_count", 0, 1],
  ["pull_audience", "open_pulls_count", 1, 0],
  ["pull_audience", "closed_pulls_count", 1, 1],
] as const;
const countColumns = counts.map(([, column]) => column).join(", ");

/** Rows of (audience, is_pull, is_closed, n) to add to the totals for a repository `new` or `old`. */
const rowsOf = (row: "new" | "old", sign: "" | "-"): readonly string[] =>
  counts.map(
    ([own, column, isPull, isClosed]) => `select ${row}.${own} as audience, ${isPull} as is_pull, ${isClosed} as is_closed, ${sign}${row}.${column} as n`,
  );

/** Transactions of one moment have their own shards in PostgreSQL, so that they do not conflict. */
const addTotals = (rows: readonly string[], shard: string): string => `
  insert into issue_totals (audience, is_pull, is_closed, shard, n)
    select audience, is_pull, is_closed, ${shard}, sum(n) from (${rows.join(" union all ")}) changes
      group by audience, is_pull, is_closed having sum(n) <> 0
    on conflict (audience, is_pull, is_closed, shard) do update set n = issue_totals.n + excluded.n;`;

const oneOf = (row: "new" | "old", n: 1 | -1): string => `select ${row}.audience as audience, ${n} as n`;
const addRepositories = (rows: readonly string[], own: string): string => `
  insert into repository_totals (audience, shard, n)
    select audience, ${own}, sum(n) from (${rows.join(" union all ")}) changes group by audience having sum(n) <> 0
    on conflict (audience, shard) do update set n = repository_totals.n + excluded.n;`;

const removed = rowsOf("old", "-");
const added = rowsOf("new", "");
const moved = counts.flatMap(([own, column]) => [`old.${own} <> new.${own}`, `old.${column} <> new.${column}`]).join(" or ");
const movedPostgres = moved.replaceAll(" <> ", " is distinct from ");
const shard = "pg_backend_pid() % 64";

export const audiences: Migration = {
  id: 27,
  name: "audiences",
  statements: [
    "alter table repositories add column audience {int} not null default 0",
    "alter table repositories add column issue_audience {int} not null default 0",
    "alter table repositories add column pull_audience {int} not null default 0",
    `create table issue_totals (
      audience {int} not null,
      is_pull {int} not null,
      is_closed {int} not null,
      shard {int} not null,
      n {int} not null,
      primary key (audience, is_pull, is_closed, shard)
    ) {clustered}`,
    `create table repository_totals (
      audience {int} not null,
      shard {int} not null,
      n {int} not null,
      primary key (audience, shard)
    ) {clustered}`,
    {
      sqlite: setAudiences,
      postgres: `create function repository_audiences() returns trigger language plpgsql as $$ begin
        new.audience := ${audience("new", isDeleted("new"))};
        new.issue_audience := ${audience("new", `${isDeleted("new")} or not (${unitsInPostgres.issues})`)};
        new.pull_audience := ${audience("new", `${isDeleted("new")} or not (${unitsInPostgres.pulls})`)};
        return new;
      end $$`,
    },
    {
      sqlite: `create trigger repositories_audience_made after insert on repositories begin ${setAudiences} where id = new.id; end`,
      postgres: `create trigger repositories_audience before insert or update of settings, is_private, deleted_ms, owner_id on repositories
        for each row execute function repository_audiences()`,
    },
    {
      sqlite: `create trigger repositories_audience_moved after update of settings, is_private, deleted_ms, owner_id on repositories begin ${setAudiences} where id = new.id; end`,
      postgres: "update repositories set owner_id = owner_id",
    },
    {
      sqlite: `create trigger accounts_visibility_moved after update of visibility on accounts when old.visibility <> new.visibility begin
        ${setAudiences} where owner_id = new.id;
      end`,
      postgres: `create function account_visibility_moved() returns trigger language plpgsql as $$ begin
        update repositories set owner_id = owner_id where owner_id = new.id;
        return null;
      end $$`,
    },
    {
      sqlite: null,
      postgres: `create trigger accounts_visibility_moved after update of visibility on accounts for each row
        when (old.visibility is distinct from new.visibility) execute function account_visibility_moved()`,
    },

    `insert into issue_totals (audience, is_pull, is_closed, shard, n)
      ${counts.map(([own, column, isPull, isClosed]) => `select ${own}, ${isPull}, ${isClosed}, 0, sum(${column}) from repositories group by ${own}`).join(" union all ")}`,
    {
      sqlite: `create trigger repositories_totals_moved after update of ${countColumns}, issue_audience, pull_audience on repositories when ${moved} begin
        ${addTotals([...removed, ...added], "0")}
      end`,
      postgres: `create function issue_totals_moved() returns trigger language plpgsql as $$ begin
        if tg_op = 'DELETE' then ${addTotals(removed, shard)}
        elsif tg_op = 'INSERT' then ${addTotals(added, shard)}
        else ${addTotals([...removed, ...added], shard)} end if;
        return null;
      end $$`,
    },
    {
      sqlite: `create trigger repositories_totals_made after insert on repositories begin ${addTotals(added, "0")} end`,
      postgres: "create trigger repositories_totals_made after insert on repositories for each row execute function issue_totals_moved()",
    },
    {
      sqlite: `create trigger repositories_totals_gone after delete on repositories begin ${addTotals(removed, "0")} end`,
      postgres: "create trigger repositories_totals_gone after delete on repositories for each row execute function issue_totals_moved()",
    },
    {
      sqlite: null,
      postgres: `create trigger repositories_totals_moved after update on repositories for each row when (${movedPostgres}) execute function issue_totals_moved()`,
    },
    "insert into repository_totals (audience, shard, n) select audience, 0, count(*) from repositories group by audience",
    {
      sqlite: `create trigger repositories_moved after update of audience on repositories when old.audience <> new.audience begin
        ${addRepositories([oneOf("old", -1), oneOf("new", 1)], "0")}
      end`,
      postgres: `create function repository_totals_moved() returns trigger language plpgsql as $$ begin
        if tg_op = 'DELETE' then ${addRepositories([oneOf("old", -1)], shard)}
        elsif tg_op = 'INSERT' then ${addRepositories([oneOf("new", 1)], shard)}
        else ${addRepositories([oneOf("old", -1), oneOf("new", 1)], shard)} end if;
        return null;
      end $$`,
    },
    {
      sqlite: `create trigger repositories_counted after insert on repositories begin ${addRepositories([oneOf("new", 1)], "0")} end`,
      postgres: "create trigger repositories_counted after insert or delete on repositories for each row execute function repository_totals_moved()",
    },
    {
      sqlite: `create trigger repositories_uncounted after delete on repositories begin ${addRepositories([oneOf("old", -1)], "0")} end`,
      postgres: `create trigger repositories_moved after update on repositories for each row
        when (old.audience is distinct from new.audience) execute function repository_totals_moved()`,
    },

    // Orders of lists of repositories. Rights are checked on the columns of the index.
    "create index repositories_audience on repositories (audience, id)",
    "create index repositories_stars on repositories (stars_count, id)",
    "create index repositories_forks on repositories (forks_count, id)",
    "create index git_stores_size on git_stores (size_bytes, id)",
    "create index labels_name on labels (name, id)",
    "create index milestones_folded on milestones (title_folded, id)",
    // Repositories that an audience can read, of those that have had issues.
    "create index repositories_issue_audience on repositories (issue_audience, id) where last_issue_number > 0",
    "create index repositories_pull_audience on repositories (pull_audience, id) where last_issue_number > 0",
  ],
};
