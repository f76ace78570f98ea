import type { Migration } from "./migration.ts";

export const activities: Migration = {
  id: 17,
  name: "activities",
  statements: [
    // One row a fact, whoever reads it: feeds choose among them by who did it, where, and whose it was.
    `create table activities (
      id {id},
      kind {text} not null,
      actor_id {int} not null references accounts (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      owner_id {int} references accounts (id) on delete set null,
      ref_name {text} not null,
      old_oid {text},
      new_oid {text},
      subject {text} not null,
      comment_id {int},
      created_ms {int} not null
    ) {table}`,
    // Each orders what it finds as feeds show it, without a look at the rows.
    "create index activities_actor on activities (actor_id, created_ms, id)",
    "create index activities_repo on activities (repo_id, created_ms, id)",
    "create index activities_owner on activities (owner_id, created_ms, id)",
    "create index activities_created on activities (created_ms)",
  ],
};
