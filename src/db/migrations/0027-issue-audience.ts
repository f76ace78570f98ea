import type { Migration } from "./migration.ts";

/**
 * The audience of the issues and of the pull requests of each repository, and how many of them each audience can read: lists across repositories
 * need neither to load the readable repositories nor to count their issues. The database maintains both, whatever statement changes them.
 *
 * Audiences: 0 no user (deleted, or the unit is disabled), 1 users with a grant, 2 all signed-in users, 3 everyone.
 */
const visibilityOf = (row: string): string => `(select visibility from accounts where id = ${row}.owner_id)`;
const audience = (row: string, isEnabled: string): string => `case
  when ${row}.deleted_ms is not null or not (${isEnabled}) then 0
  when ${row}.is_private = 1 then 1
  else case ${visibilityOf(row)} when 'public' then 3 when 'limited' then 2 else 1 end end`;

// Settings that are absent have their default: both units are enabled.
const sqliteAudiences = (row: string): string => `
  issue_audience = ${audience(row, `coalesce(json_extract(${row}.settings, '$.hasIssues'), 1) = 1 and json_extract(${row}.settings, '$.externalTracker') is null`)},
  pull_audience = ${audience(row, `coalesce(json_extract(${row}.settings, '$.hasPullRequests'), 1) = 1`)}`;
const updateAudiences = `update repositories set ${sqliteAudiences("repositories")} where id = new.id;`;

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

const removed = rowsOf("old", "-");
const added = rowsOf("new", "");
const moved = counts.flatMap(([own, column]) => [`old.${own} <> new.${own}`, `old.${column} <> new.${column}`]).join(" or ");
const movedPostgres = moved.replaceAll(" <> ", " is distinct from ");
const shard = "pg_backend_pid() % 64";

export const issueAudience: Migration = {
  id: 27,
  name: "audience of issues",
  statements: [
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
    {
      sqlite: `update repositories set ${sqliteAudiences("repositories")}`,
      postgres: `create function repository_audiences() returns trigger language plpgsql as $$ begin
        new.issue_audience := ${audience("new", "coalesce(new.settings::json ->> 'hasIssues', 'true') = 'true' and new.settings::json ->> 'externalTracker' is null")};
        new.pull_audience := ${audience("new", "coalesce(new.settings::json ->> 'hasPullRequests', 'true') = 'true'")};
        return new;
      end $$`,
    },
    {
      sqlite: `create trigger repositories_audience_made after insert on repositories begin ${updateAudiences} end`,
      postgres: `create trigger repositories_audience before insert or update of settings, is_private, deleted_ms, owner_id on repositories
        for each row execute function repository_audiences()`,
    },
    {
      sqlite: `create trigger repositories_audience_moved after update of settings, is_private, deleted_ms, owner_id on repositories begin ${updateAudiences} end`,
      postgres: "update repositories set owner_id = owner_id",
    },
    {
      sqlite: `create trigger accounts_visibility_moved after update of visibility on accounts when old.visibility <> new.visibility begin
        update repositories set ${sqliteAudiences("repositories")} where owner_id = new.id;
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
    "create index labels_name on labels (name, id)",
    "create index milestones_folded on milestones (title_folded, id)",
    // Repositories that an audience can read, of those that have had issues.
    "create index repositories_issue_audience on repositories (issue_audience, id) where last_issue_number > 0",
    "create index repositories_pull_audience on repositories (pull_audience, id) where last_issue_number > 0",
  ],
};
