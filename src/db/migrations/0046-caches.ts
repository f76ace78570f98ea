import type { Migration } from "./migration.ts";

/** Files that jobs keep for later runs. */
export const caches: Migration = {
  id: 46,
  name: "caches of jobs",
  statements: [
    `create table action_caches (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      ref {text} not null,
      version {text} not null,
      key {text} not null,
      digest {text} not null references stored_files (digest),
      size_bytes {int} not null,
      created_ms {int} not null,
      used_ms {int} not null
    ) {table}`,
    "create unique index action_caches_key on action_caches (repo_id, ref, version, key)",
    "create index action_caches_used on action_caches (used_ms)",
    "create index action_caches_repo on action_caches (repo_id, used_ms)",
    "create index action_caches_digest on action_caches (digest)",
  ],
};
