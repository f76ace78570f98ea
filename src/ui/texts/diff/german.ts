import type { english } from "./english.ts";

export const german: typeof english = {
  plainFile: "gewöhnliche Datei",
  executable: "ausführbar",
  symbolicLink: "symbolischer Link",
  submodule: "Submodul",
  oldLine: "Alte Zeile",
  newLine: "Neue Zeile",
  before: "Davor",
  after: "Danach",
  moreLines: "Zeilen aufklappen",
  unended: "Kein Zeilenumbruch am Dateiende",
  talkAbout: (line) => `Zeile ${line} kommentieren`,
  showing: "Diff-Ansicht",
  unified: "Vereinheitlicht",
  split: "Geteilt",
};
