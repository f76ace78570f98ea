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
  submit: "Pull-Request eröffnen",
};
