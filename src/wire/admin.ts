import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, choice, field, int, list, nullable, option, record, text, time } from "./schema.ts";

/** What the server does at regular times. */
export const Cron = record("Cron", {
  name: text(),
  schedule: text(),
  next: time(),
  prev: time(),
  exec_times: int(),
});
export type Cron = Static<typeof Cron>;

/** Something that a check of a store of objects found wrong. */
export const StoreProblem = record("StoreProblem", {
  store_id: int(),
  /** Full name of the repository, or `owner/name.wiki`; empty for a store that no repository has any more. */
  repository: text(),
  problem: text(),
  found_at: time(),
});
export type StoreProblem = Static<typeof StoreProblem>;

/** Work that is done behind the requests. */
export const Job = record("Job", {
  id: int(),
  kind: text(),
  state: choice("waiting", "running", "failed"),
  /** How often it was tried. */
  attempts: int(),
  /** Not before; zero time: as soon as possible. */
  run_at: time(),
  created_at: time(),
  /** Why it failed last; empty: it has not. */
  last_error: text(),
});
export type Job = Static<typeof Job>;

/** What was measured of the process at a moment. What is counted counts up from its start. */
export const StatusSample = record("StatusSample", {
  at: time(),
  memory_bytes: int(),
  /** Of the time since the sample before, the part in which the event loop had something to do, in percent. */
  busy_percent: int(),
  requests: int(),
  statements: int(),
  git_processes: int(),
  jobs: int(),
});
export type StatusSample = Static<typeof StatusSample>;

/** How the server is, and how it was for an hour. */
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
  /** What an operator should mend, though everything works. */
  warnings: list(text()),
  /** From the oldest to one of this moment. */
  samples: list(StatusSample),
});
export type ServerStatus = Static<typeof ServerStatus>;

/** A setting that the server runs with. */
export const ServerSetting = record("ServerSetting", {
  section: text(),
  name: text(),
  /** The environment variable that sets it. */
  variable: text(),
  description: text(),
  /** As the environment would have it; empty for a secret. */
  value: text(),
  /** Whether it is a secret that is set, which nobody is shown. */
  hidden: bool(),
  origin: choice("environment", "file", "default"),
});
export type ServerSetting = Static<typeof ServerSetting>;

export const Badge = record("Badge", { id: int(), slug: text(), description: text(), image_url: text() });
export type Badge = Static<typeof Badge>;

export const UserBadgeOption = option("UserBadgeOption", { badge_slugs: field("BadgeSlugs", nullable(list(text(lengths.line), counts.names)), "Required") });
export type UserBadgeOption = Static<typeof UserBadgeOption>;
