import { grouping } from "../grouped.ts";
import type { inbox as english } from "./english.ts";

const grouped = grouping("de");

export const inbox: typeof english = {
  title: "Benachrichtigungen",
  states: { unread: "Ungelesen", pinned: "Angeheftet", read: "Gelesen", all: "Alle" },
  whichStates: "Welche Benachrichtigungen",
  none: { unread: "Nichts ist neu", pinned: "Nichts ist angeheftet", read: "Noch nichts ist gelesen", all: "Es gibt noch keine Benachrichtigungen" },
  howTo: "Sie hören von dem, was Sie nennt, was Ihnen gegeben wird und was in Repositorys geschieht, die Sie beobachten.",
  look: "Repositorys zum Beobachten suchen",
  markRead: "Als gelesen markieren",
  markUnread: "Als ungelesen markieren",
  pin: "Anheften",
  unpin: "Lösen",
  markAll: "Alle als gelesen markieren",
  markAllOf: (repository) => `Alle von ${repository} als gelesen markieren`,
  onlyOf: (repository) => `Nur die von ${repository}`,
  ofAll: "Die aller Repositorys",
  commit: "Commit",
  given: "Dieses Repository gehört Ihnen, oder es wartet darauf, dass Sie es nehmen",
  count: (total) => (total === 1 ? "1 Benachrichtigung" : `${grouped(total)} Benachrichtigungen`),
};
