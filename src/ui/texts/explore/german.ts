import { grouping } from "../grouped.ts";
import type { explore as english } from "./english.ts";

const grouped = grouping("de");

export const explore: typeof english = {
  title: "Entdecken",
  repositories: "Repositorys",
  find: "Ein Repository finden",
  findButton: "Suchen",
  kind: "Art",
  everyKind: "Alle Arten",
  kinds: { source: "Ohne Forks und Spiegel", fork: "Forks", mirror: "Spiegel", template: "Vorlagen", archived: "Archiviert" },
  sort: "Sortierung",
  sorts: { updated: "Zuletzt geändert", created: "Neueste", alpha: "Name", stars: "Meiste Sterne", forks: "Meiste Forks" },
  nothingFound: "Nichts passt zu dieser Suche.",
  tryAnother: "Versuchen Sie ein kürzeres Wort, oder sehen Sie alle Repositorys an.",
  all: "Alle Repositorys",
  none: "Hier gibt es noch kein Repository.",
  howToStart: "Legen Sie das erste an und pushen Sie dorthin.",
  withTopic: (total, topic) => (total === 1 ? `1 Repository zum Thema ${topic}` : `${grouped(total)} Repositorys zum Thema ${topic}`),
  count: (total) => (total === 1 ? "1 Repository" : `${grouped(total)} Repositorys`),
};
