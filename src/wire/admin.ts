import type { Static } from "typebox";
import { choice, field, int, list, nullable, option, record, text, time } from "./schema.ts";

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

export const Badge = record("Badge", { id: int(), slug: text(), description: text(), image_url: text() });
export type Badge = Static<typeof Badge>;

export const UserBadgeOption = option("UserBadgeOption", { badge_slugs: field("BadgeSlugs", nullable(list(text())), "Required") });
export type UserBadgeOption = Static<typeof UserBadgeOption>;
