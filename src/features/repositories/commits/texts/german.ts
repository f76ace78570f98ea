import type { english } from "./english.ts";

export const german: typeof english = {
  title: (name) => `Commits auf ${name}`,
  none: "Hier gibt es keine Commits.",
  onDay: (day) => `Commits am ${day}`,
  by: (name) => `von ${name}`,
  verified: "Verifiziert",
  browse: "Dateien bei diesem Commit",
  graph: "Commit-Graph",
  graphOf: "Branch",
  hiddenParents: (count) => (count === 1 ? "1 Eltern-Commit nicht dargestellt" : `${count} Eltern-Commits nicht dargestellt`),
  allBranches: "Alle Branches",
  show: "Zeigen",
  older: "Hier endet der Graph. Ältere Commits finden Sie in der Commit-Liste.",
  contributors: "Mitwirkende",
  contributed: (commits, people, branch) =>
    `${commits === 1 ? "1 Commit" : `${commits} Commits`} von ${people === 1 ? "1 Person" : `${people} Personen`} auf ${branch}, ohne Merges.`,
  countedOnly: (commits) => `Nur die neuesten ${commits} Commits werden gezählt.`,
  othersToo: (people) => (people === 1 ? "Und 1 weitere Person." : `Und ${people} weitere Personen.`),
  plotOf: (from, to) => `Commits im Lauf der Zeit, von ${from} bis ${to}`,
  plotInWords: "Als Tabelle anzeigen",
  from: "Ab",
  commits: "Commits",
  commitCount: (commits) => (commits === 1 ? "1 Commit" : `${commits} Commits`),
  ofPath: "Verlauf von",
};
