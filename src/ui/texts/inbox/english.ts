import { grouping } from "../grouped.ts";

const grouped = grouping("en");

/** Notifications. */
export const inbox = {
  title: "Notifications",
  states: { unread: "Unread", pinned: "Pinned", read: "Read", all: "All" },
  whichStates: "Which notifications",
  none: { unread: "Nothing is new", pinned: "Nothing is pinned", read: "Nothing is read yet", all: "There are no notifications yet" },
  howTo: "You hear of what names you, what is given to you, and what happens in repositories that you watch.",
  look: "Look for repositories to watch",
  markRead: "Mark as read",
  markUnread: "Mark as unread",
  pin: "Pin",
  unpin: "Unpin",
  markAll: "Mark all as read",
  markAllOf: (repository: string) => `Mark all of ${repository} as read`,
  onlyOf: (repository: string) => `Only those of ${repository}`,
  ofAll: "Those of all repositories",
  commit: "Commit",
  given: "This repository is yours, or waits for you to take it",
  count: (total: number) => (total === 1 ? "1 notification" : `${grouped(total)} notifications`),
};
