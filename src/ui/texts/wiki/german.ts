import type { wiki as english } from "./english.ts";

export const wiki: typeof english = {
  title: "Wiki",
  none: "Dieses Wiki hat noch keine Seite",
  howTo: "Ein Wiki ist für das, was neben den Code gehört: wie man anfängt, warum etwas ist, wie es ist, wen man fragt.",
  first: "Die erste Seite schreiben",
  new: "Neue Seite",
  edit: "Bearbeiten",
  history: "Verlauf",
  pages: "Seiten",
  allPages: "Alle Seiten",
  delete: "Diese Seite löschen",
  deleteHow: "Die Seite geht; ihr Verlauf bleibt im Repository des Wikis.",
  lastChange: (name) => `${name} hat dies geändert`,
  changes: (count) => (count === 1 ? "1 Änderung" : `${count} Änderungen`),
  historyOf: (title) => `Verlauf von ${title}`,
  editOf: (title) => `${title} bearbeiten`,
  clone: "Das Wiki klonen",
  pageTitle: "Titel",
  content: "Text",
  contentHint: "Markdown geht hier. [[Andere Seite]] verweist auf eine Seite.",
  message: "Was Sie geändert haben",
  messageHint: "Bleibt es leer, steht dort, welche Seite geändert wurde.",
  save: "Seite speichern",
  changed:
    "Jemand hat diese Seite geändert, seit Sie angefangen haben. Unten steht, was Sie geschrieben haben, und was die Seite jetzt sagt; nochmaliges Speichern ersetzt es.",
  now: "Was die Seite jetzt sagt",
};
