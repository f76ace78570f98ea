import type { english } from "./english.ts";

export const german: typeof english = {
  title: "Code-Suche",
  find: (name) => `Code in ${name} durchsuchen`,
  findButton: "Suchen",
  how: "Sucht nach Zeilen, die genau diesen Text enthalten, ohne Groß- und Kleinschreibung zu unterscheiden.",
  nothing: "Keine Ergebnisse",
  tooShort: "Geben Sie mindestens zwei Zeichen ein.",
  files: (count) => (count === 1 ? "In 1 Datei gefunden" : `In ${count} Dateien gefunden`),
  cut: "Es werden nur die ersten Ergebnisse angezeigt. Verfeinern Sie Ihre Suche.",
  slow: "Die Suche hat zu lange gedauert. Die Ergebnisse sind möglicherweise unvollständig.",
  line: (line) => `Zeile ${line}`,
  blame: "Blame",
  withoutBlame: "Blame ausblenden",
  before: "Blame vor dieser Änderung anzeigen",
  permalink: "Permalink",
  blameOf: (path) => `Blame von ${path}`,
  author: "Commit",
  number: "Zeile",
  text: "Inhalt",
  noText: "Blame ist für Binärdateien und sehr große Dateien nicht verfügbar.",
};
