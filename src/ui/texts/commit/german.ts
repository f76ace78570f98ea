import type { commit as english } from "./english.ts";

export const commit: typeof english = {
  parent: "Vorgänger",
  parents: "Vorgänger",
  committedBy: "Eingetragen von",
  changed: (files) => (files === 1 ? "1 Datei geändert" : `${files} Dateien geändert`),
  added: "Neu",
  removed: "Entfernt",
  renamed: "Umbenannt",
  modified: "Geändert",
  binary: "Eine Änderung an einer Datei, die kein Text ist.",
  plainFile: "gewöhnliche Datei",
  executable: "ausführbar",
  symbolicLink: "symbolischer Link",
  submodule: "Submodul",
  nothing: "Hier ist nichts zu zeigen.",
  unchanged: "Dieser Commit ändert keine Datei.",
  tooLarge: "Der Rest dieser Änderung ist zu groß für eine Seite.",
  asText: "Alles als Text",
  oldLine: "Zeile davor",
  newLine: "Zeile danach",
};
