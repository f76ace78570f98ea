import { grouping } from "../../../../ui/texts/grouped.ts";
import type { english } from "./english.ts";

const grouped = grouping("de");

export const german: typeof english = {
  states: { unread: "Ungelesen", pinned: "Angeheftet", read: "Gelesen", all: "Alle" },
  whichStates: "Filter",
  none: {
    unread: "Keine ungelesenen Benachrichtigungen",
    pinned: "Keine angehefteten Benachrichtigungen",
    read: "Keine gelesenen Benachrichtigungen",
    all: "Noch keine Benachrichtigungen",
  },
  howTo: "Sie werden benachrichtigt, wenn Sie erwähnt oder zugewiesen werden, und über Aktivitäten in Repositorys, die Sie beobachten.",
  look: "Repositorys zum Beobachten entdecken",
  markRead: "Als gelesen markieren",
  markUnread: "Als ungelesen markieren",
  pin: "Anheften",
  unpin: "Loslösen",
  markAll: "Alle als gelesen markieren",
  markAllOf: (repository) => `Alle von ${repository} als gelesen markieren`,
  onlyOf: (repository) => `Nur ${repository}`,
  ofAll: "Alle Repositorys",
  commit: "Commit",
  given: "Dieses Repository wurde Ihnen übertragen, oder die Übertragung wartet auf Ihre Annahme",
  count: (total) => (total === 1 ? "1 Benachrichtigung" : `${grouped(total)} Benachrichtigungen`),
};
