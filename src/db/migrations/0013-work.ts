import type { Migration } from "./migration.ts";

export const work: Migration = {
  id: 13,
  name: "events, jobs, values of the server",
  statements: [
    // No foreign keys: events outlive the rows that they describe.
    `create table events (
      id {id},
      type {text} not null,
      payload {text} not null,
      repo_id {int},
      actor_id {int},
      created_ms {int} not null,
      is_dispatched {int} not null default 0
    ) {table}`,
    "create index events_undispatched on events (id) where is_dispatched = 0",

    `create table jobs (
      id {id},
      kind {text} not null,
      payload {text} not null,
      dedupe_key {text},
      state {text} not null,
      run_at_ms {int} not null,
      attempts {int} not null default 0,
      fence {int} not null default 0,
      lease_until_ms {int},
      last_error {text},
      created_ms {int} not null
    ) {table}`,
    "create index jobs_waiting on jobs (run_at_ms, id) where state = 'waiting'",
    "create index jobs_running on jobs (lease_until_ms) where state = 'running'",
    "create unique index jobs_dedupe on jobs (kind, dedupe_key) where state = 'waiting' and dedupe_key is not null",
    "create index jobs_failed on jobs (id) where state = 'failed'",

    `create table schedules (
      name {text} primary key,
      next_run_ms {int} not null,
      last_run_ms {int},
      runs {int} not null default 0
    ) {table}`,

    `create table idempotency_keys (
      account_id {int} not null references accounts (id) on delete cascade,
      key {text} not null,
      request_hash {text} not null,
      status {int} not null,
      headers {text} not null,
      body {text} not null,
      created_ms {int} not null,
      primary key (account_id, key)
    ) {table}`,
    "create index idempotency_keys_created on idempotency_keys (created_ms)",

    `create table server_values (
      name {text} primary key,
      value {text} not null
    ) {table}`,
  ],
};
