import type { Migration } from "./migration.ts";

export const hooks: Migration = {
  id: 15,
  name: "webhooks",
  statements: [
    `create table hooks (
      id {id},
      repo_id {int} references repositories (id) on delete cascade,
      owner_id {int} references accounts (id) on delete cascade,
      scope {text} not null,
      type {text} not null,
      name {text} not null,
      url {text} not null,
      content_type {text} not null,
      settings {text} not null,
      events {text} not null,
      branch_filter {text} not null,
      authorization_header {text},
      secret {text},
      former_secret {text},
      former_secret_until_ms {int},
      is_active {int} not null,
      last_sequence {int} not null default 0,
      failures {int} not null default 0,
      blocked_until_ms {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null,
      failure_told_ms {int}
    ) {table}`,
    "create index hooks_repo on hooks (repo_id) where repo_id is not null",
    "create index hooks_owner on hooks (owner_id) where owner_id is not null",
    "create index hooks_server on hooks (scope) where repo_id is null and owner_id is null",

    // No foreign keys: deletions are delivered too.
    `create table hook_messages (
      id {id},
      event_id {int} not null,
      position {int} not null,
      event {text} not null,
      event_type {text} not null,
      subject {text} not null,
      repo_id {int},
      actor_id {int},
      payload {text},
      composed_ms {int},
      attempts {int} not null default 0,
      created_ms {int} not null
    ) {table}`,
    "create index hook_messages_open on hook_messages (id) where payload is null",
    "create index hook_messages_age on hook_messages (created_ms)",

    `create table hook_deliveries (
      id {id},
      hook_id {int} not null references hooks (id) on delete cascade,
      message_id {int} not null references hook_messages (id) on delete cascade,
      uuid {text} not null,
      sequence {int},
      state {text} not null,
      attempts {int} not null default 0,
      next_attempt_ms {int} not null default 0,
      response_status {int},
      response_body {text},
      error {text},
      duration_ms {int},
      created_ms {int} not null,
      attempted_ms {int}
    ) {table}`,
    "create unique index hook_deliveries_sequence on hook_deliveries (hook_id, sequence) where sequence is not null",
    "create index hook_deliveries_state on hook_deliveries (hook_id, state, sequence)",
    "create index hook_deliveries_message on hook_deliveries (message_id)",
  ],
};
