import { grouping } from "../../../../../ui/texts/numbers.ts";
import type { english } from "./english.ts";

const grouped = grouping("de");

export const german: typeof english = {
  title: "Entdecken",
  find: "Repositorys suchen",
  findButton: "Suchen",
  kind: "Typ",
  everyKind: "Alle Typen",
  kinds: { source: "Ohne Forks und Spiegel", fork: "Forks", mirror: "Spiegel", template: "Vorlagen", archived: "Archiviert" },
  sort: "Sortierung",
  sorts: { updated: "Zuletzt aktualisiert", created: "Neueste", alpha: "Name", stars: "Meiste Sterne", forks: "Meiste Forks" },
  nothingFound: "Keine Ergebnisse",
  tryAnother: "Versuchen Sie es mit einem kürzeren Suchbegriff, oder sehen Sie sich alle Repositorys an.",
  all: "Alle Repositorys",
  none: "Noch keine Repositorys.",
  howToStart: "Repository erstellen",
  withTopic: (total, topic) => (total === 1 ? `1 Repository zum Thema ${topic}` : `${grouped(total)} Repositorys zum Thema ${topic}`),
  count: (total) => (total === 1 ? "1 Repository" : `${grouped(total)} Repositorys`),
  updated: "Aktualisiert",
};
