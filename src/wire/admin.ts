import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, choice, field, int, list, nullable, option, record, text, time } from "./schema.ts";

/** A scheduled task. */
export const Cron = record("Cron", {
  name: text(),
  schedule: text(),
  next: time(),
  prev: time(),
  exec_times: int(),
});
export type Cron = Static<typeof Cron>;

/** A problem found by a check of an object store. */
export const StoreProblem = record("StoreProblem", {
  store_id: int(),
  /** Full name of the repository, or `owner/name.wiki`; empty for a store without a repository. */
  repository: text(),
  problem: text(),
  found_at: time(),
});
export type StoreProblem = Static<typeof StoreProblem>;

/** A background job. */
export const Job = record("Job", {
  id: int(),
  kind: text(),
  state: choice("waiting", "running", "failed"),
  /** Number of attempts so far. */
  attempts: int(),
  /** Earliest start; zero time: as soon as possible. */
  run_at: time(),
  created_at: time(),
  /** Error of the last failed attempt; empty if there is none. */
  last_error: text(),
});
export type Job = Static<typeof Job>;

/** A sample of the process statistics. Counters start at 0 with the process. */
export const StatusSample = record("StatusSample", {
  at: time(),
  memory_bytes: int(),
  /** Share of the time since the previous sample in which the event loop was busy, in percent. */
  busy_percent: int(),
  requests: int(),
  statements: int(),
  git_processes: int(),
  jobs: int(),
});
export type StatusSample = Static<typeof StatusSample>;

/** Current state of the server and its samples of the last hour. */
export const ServerStatus = record("ServerStatus", {
  version: text(),
  started_at: time(),
  database: text(),
  git: text(),
  node: text(),
  system: text(),
  data_directory: text(),
  ssh: choice("off", "listening", "failed"),
  jobs_waiting: int(),
  jobs_running: int(),
  jobs_failed: int(),
  /** Problems that an operator should fix, although the server works. */
  warnings: list(text()),
  /** Oldest first; the last sample is current. */
  samples: list(StatusSample),
});
export type ServerStatus = Static<typeof ServerStatus>;

/** A setting of the running server. */
export const ServerSetting = record("ServerSetting", {
  section: text(),
  name: text(),
  /** The environment variable of the setting. */
  variable: text(),
  description: text(),
  /** The value in the form of the environment variable; empty for a secret. */
  value: text(),
  /** Whether the setting is a secret that is set. Its value is never shown. */
  hidden: bool(),
  origin: choice("environment", "file", "default"),
});
export type ServerSetting = Static<typeof ServerSetting>;

export const Badge = record("Badge", { id: int(), slug: text(), description: text(), image_url: text() });
export type Badge = Static<typeof Badge>;

export const UserBadgeOption = option("UserBadgeOption", { badge_slugs: field("BadgeSlugs", nullable(list(text(lengths.line), counts.names)), "Required") });
export type UserBadgeOption = Static<typeof UserBadgeOption>;
