import type { search as english } from "./english.ts";

export const search: typeof english = {
  title: "Im Code suchen",
  find: (name) => `Wörter in den Dateien von ${name}`,
  findButton: "Suchen",
  how: "Gefunden wird jede Zeile, die diese Wörter so enthält, wie sie dastehen; groß oder klein ist gleich.",
  nothing: "Keine Zeile enthält das",
  tooShort: "Geben Sie mindestens zwei Zeichen ein.",
  files: (count) => (count === 1 ? "In 1 Datei gefunden" : `In ${count} Dateien gefunden`),
  cut: "Es gibt mehr: dies sind die ersten Funde. Geben Sie mehr ein, um es einzugrenzen.",
  slow: "Die Suche dauerte zu lange und wurde beendet; das hatte sie gefunden.",
  line: (line) => `Zeile ${line}`,
  blame: "Blame",
  withoutBlame: "Ohne Blame",
  before: "Wer geschrieben hat, was vorher hier stand",
  permalink: "Permalink",
  blameOf: (path) => `Wer ${path} geschrieben hat`,
  author: "Commit",
  number: "Zeile",
  text: "Text",
  noText: "Diese Datei ist kein Text oder zu lang dafür.",
};
