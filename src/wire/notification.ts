import type { Static } from "typebox";
import { Repository } from "./repository.ts";
import { bool, choice, int, nullable, record, text, time } from "./schema.ts";

export const NotificationSubject = record("NotificationSubject", {
  title: text(),
  /** `/issues/N` for pull requests too. */
  url: text(),
  latest_comment_url: text(),
  html_url: text(),
  latest_comment_html_url: text(),
  type: choice("Issue", "Pull", "Commit", "Repository"),
  /** Empty for commits and repositories, which have no state. */
  state: text<"" | "open" | "closed" | "merged">(),
});
export type NotificationSubject = Static<typeof NotificationSubject>;

export const NotificationThread = record("NotificationThread", {
  id: int(),
  repository: nullable(Repository),
  subject: nullable(NotificationSubject),
  unread: bool(),
  pinned: bool(),
  updated_at: time(),
  url: text(),
});
export type NotificationThread = Static<typeof NotificationThread>;

export const NotificationCount = record("NotificationCount", {
  new: int(),
});
export type NotificationCount = Static<typeof NotificationCount>;
