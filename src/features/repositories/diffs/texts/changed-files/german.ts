import type { english } from "./english.ts";

export const german: typeof english = {
  files: "Geänderte Dateien",
  whitespace: "Leerraum",
  allChanges: "Leerraum anzeigen",
  withoutSpace: "Leerraum ausblenden",
  allFiles: "Alle Dateien",
  viewed: "Angesehen",
  changesOf: (path) => `Änderungen an ${path}`,
  menuOf: (path) => `Aktionen für ${path}`,
  viewFile: "Datei anzeigen",
  fileHistory: "Verlauf",
  fileBlame: "Blame",
  long: "Große Diffs werden nicht automatisch angezeigt.",
  showLong: "Diff laden",
  lists: "Seiten der Dateiliste",
  listed: (first: number, last: number) => `Dateien ${first}–${last}`,
  filesBefore: "Vorherige Dateien",
  filesBehind: "Weitere Dateien",
  pieces: "Seiten des Diffs",
  parts: "Seiten der Datei",
  onlyMode: "Datei ohne Änderungen umbenannt, oder nur ihr Modus wurde geändert.",
};
