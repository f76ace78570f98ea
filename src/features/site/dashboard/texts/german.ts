import { grouping } from "../../../../ui/texts/numbers.ts";
import type { english } from "./english.ts";

const grouped = grouping("de");

export const german: typeof english = {
  title: "Dashboard",
  waiting: "Benötigt Ihre Aufmerksamkeit",
  nothingWaits: "Alles erledigt.",
  sections: {
    reviews: "Review-Anfragen",
    assigned: "Ihnen zugewiesen",
    mentioned: "Erwähnungen",
    pulls: "Ihre offenen Pull-Requests",
  },
  all: "Alle anzeigen",
  news: (count) => (count === 1 ? "1 ungelesene Benachrichtigung" : `${grouped(count)} ungelesene Benachrichtigungen`),
  contributions: "Beiträge im letzten Jahr",
  activity: "Letzte Aktivität",
  quiet: "Noch keine Aktivität in Ihren Repositorys oder in denen, die Sie beobachten.",
  contextOf: (name) => `Dashboard von ${name}: ein anderes wählen`,
  repositories: "Ihre Repositorys",
  repositoriesOfOrganization: "Repositorys",
  quietIn: (name) => `Noch keine Aktivität in den Repositorys von ${name}.`,
  newRepository: "Neu",
  findRepository: "Repository suchen",
  organizations: "Ihre Organisationen",
  welcome: (name) => `Willkommen, ${name}`,
  first: "Erste Schritte:",
  steps: {
    repository: ["Repository erstellen", "Leer, mit einer README oder aus einer Vorlage."],
    key: ["Ihren SSH-Schlüssel hinzufügen", "Verwenden Sie git ohne Passwort."],
    explore: ["Repositorys entdecken", "Vergeben Sie Sterne, und beobachten Sie Repositorys, denen Sie folgen möchten."],
  },
  findIssues: "Issues in allen Repositorys suchen",
  findPulls: "Pull-Requests in allen Repositorys suchen",
  views: { assigned: "Zugewiesen", created: "Erstellt", mentioned: "Erwähnt", requested: "Review angefordert", reviewed: "Review abgegeben" },
  noneOf: {
    assigned: "Ihnen sind keine offenen Einträge zugewiesen",
    created: "Sie haben keine offenen Einträge",
    mentioned: "Sie werden in keinen offenen Einträgen erwähnt",
    requested: "Keine ausstehenden Review-Anfragen",
    reviewed: "Sie haben zu keinem offenen Eintrag ein Review abgegeben",
  },
  lookAtAllIssues: "Alle Issues anzeigen",
  lookAtAllPulls: "Alle Pull-Requests anzeigen",
  viewsOf: "Filter",
};
