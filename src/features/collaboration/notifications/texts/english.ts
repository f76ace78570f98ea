import { grouping } from "../../../../ui/texts/grouped.ts";

const grouped = grouping("en");

/** Notifications. */
export const english = {
  states: { unread: "Unread", pinned: "Pinned", read: "Read", all: "All" },
  whichStates: "Filter",
  none: { unread: "No unread notifications", pinned: "No pinned notifications", read: "No read notifications", all: "No notifications yet" },
  howTo: "You are notified when you are mentioned or assigned, and about activity in repositories that you watch.",
  look: "Explore repositories to watch",
  markRead: "Mark as read",
  markUnread: "Mark as unread",
  pin: "Pin",
  unpin: "Unpin",
  markAll: "Mark all as read",
  markAllOf: (repository: string) => `Mark all of ${repository} as read`,
  onlyOf: (repository: string) => `Only ${repository}`,
  ofAll: "All repositories",
  commit: "Commit",
  given: "This repository was transferred to you, or its transfer awaits your acceptance",
  count: (total: number) => (total === 1 ? "1 notification" : `${grouped(total)} notifications`),
};
