import type { english } from "./english.ts";

export const german: typeof english = {
  none: "Keine gespeicherten Antworten",
  hint: "Speichern Sie Texte, die Sie oft verwenden, und fügen Sie sie mit dem Menü des Kommentarformulars in Ihre Kommentare ein.",
  add: "Neue gespeicherte Antwort",
  edit: (title) => `${title} bearbeiten`,
  title: "Titel",
  content: "Text",
  create: "Antwort speichern",
  save: "Antwort aktualisieren",
  insert: "Gespeicherte Antwort einfügen",
  manage: "Gespeicherte Antworten verwalten",
};
