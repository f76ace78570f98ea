import type { Migration } from "./migration.ts";

/** Running jobs reference the process that runs them. Webhook payloads are composed separately for each repository. */
export const workers: Migration = {
  id: 24,
  name: "the process of a running job",
  statements: [
    "alter table jobs add column worker {int}",
    // One process serves a SQLite database, so its predecessor started all running jobs.
    { sqlite: "update jobs set lease_until_ms = 0 where state = 'running'", postgres: null },
    "drop index hook_messages_open",
    "create index hook_messages_open on hook_messages (repo_id, id) where payload is null",
    "delete from jobs where kind = 'hooks.compose'",
    `insert into jobs (kind, payload, dedupe_key, state, run_at_ms, created_ms)
      select 'hooks.compose', '{"repoId":' || cast(repo_id as text) || '}', cast(repo_id as text), 'waiting', 0, max(created_ms)
      from hook_messages where payload is null and repo_id is not null group by repo_id`,
  ],
};
