import type { compare as english } from "./english.ts";

export const compare: typeof english = {
  title: "Branches vergleichen",
  base: "Ziel",
  head: "Verglichen mit",
  headHint: "Ein Branch, oder Besitzer:Branch eines Forks",
  compare: "Vergleichen",
  nothing: "Das Ziel hat alle diese Commits schon",
  nothingHint: "Wählen Sie einen anderen Branch, oder pushen Sie Commits.",
  notThere: "Diesen Branch, Tag oder Commit gibt es nicht.",
  commits: (total) => (total === 1 ? "1 Commit" : `${total} Commits`),
  signIn: "um einen Pull-Request zu eröffnen.",
  open: "Einen Pull-Request eröffnen",
  reviewers: "Reviewer",
  reviewersHint: "Namen, und Teams als Organisation/Team, mit Kommas dazwischen",
  more: "Labels, Personen und Meilenstein",
  draft: "Es ist ein Entwurf",
  draftHint: "Der Titel beginnt mit WIP, und niemand führt ihn zusammen, bevor Sie das herausnehmen.",
  submit: "Pull-Request eröffnen",
};
