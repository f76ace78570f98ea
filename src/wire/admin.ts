import type { Static } from "typebox";
import { field, int, list, nullable, option, record, text, time } from "./schema.ts";

/** What the server does at regular times. */
export const Cron = record("Cron", {
  name: text(),
  schedule: text(),
  next: time(),
  prev: time(),
  exec_times: int(),
});
export type Cron = Static<typeof Cron>;

export const Badge = record("Badge", { id: int(), slug: text(), description: text(), image_url: text() });
export type Badge = Static<typeof Badge>;

export const UserBadgeOption = option("UserBadgeOption", { badge_slugs: field("BadgeSlugs", nullable(list(text())), "Required") });
export type UserBadgeOption = Static<typeof UserBadgeOption>;
