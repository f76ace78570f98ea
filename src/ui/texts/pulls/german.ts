import { grouping } from "../grouped.ts";
import type { pulls as english } from "./english.ts";

const grouped = grouping("de");

export const pulls: typeof english = {
  title: "Pull-Requests",
  find: "Pull-Requests finden",
  create: "Neuer Pull-Request",
  none: "Hier gibt es noch keinen Pull-Request",
  firstOne: "Pushen Sie einen Branch, vergleichen Sie ihn mit einem anderen, und schlagen Sie ihn vor.",
  count: (total) => (total === 1 ? "1 Pull-Request" : `${grouped(total)} Pull-Requests`),
  into: "soll kommen nach",
  cameInto: "kam nach",
  from: "aus",
  parts: "Teile des Pull-Requests",
  conversation: "Gespräch",
  commits: "Commits",
  files: "Dateien",
  headGone: "einem Branch, den es nicht mehr gibt",
  reviews: {
    approve: "ist einverstanden",
    reject: "möchte Änderungen",
    comment: "hat dies durchgesehen",
    pending: "schreibt ein Review",
    request: "wurde um ein Review gebeten",
  },
  base: "Zielbranch",
  baseHint: "Der Branch, in den er kommen soll",
  changeBase: "Zielbranch ändern",
  answerThere: "Bei den Dateien zeigen",
  answeredOn: (path: string) => `hat oben geantwortet, zu ${path}`,
  reviewers: "Reviewer",
  stale: "zu einem früheren Stand",
  dismissed: "verworfen",
  outdated: "die Zeile gibt es nicht mehr",
  lines: (first, last) => (first === last ? `Zeile ${last}` : `Zeilen ${first}–${last}`),
  resolved: (name) => `erledigt von ${name}`,
  checks: "Prüfungen",
  checkDetails: "Einzelheiten",
  checkStates: { success: "Alle Prüfungen sind bestanden", failure: "Prüfungen sind fehlgeschlagen", pending: "Prüfungen sind noch nicht beendet" },
  noCommits: "Dieser Pull-Request hat keinen Commit.",
  noFiles: "Dieser Pull-Request ändert keine Datei.",
};
