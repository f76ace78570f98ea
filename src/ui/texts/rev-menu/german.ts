import type { english } from "./english.ts";

export const german: typeof english = {
  switchTo: "Branch oder Tag wechseln",
  allBranches: "Alle Branches",
  allTags: "Alle Tags",
  revName: "Branch, Tag oder Commit",
  goThere: "Öffnen",
  onBranch: "Branch",
  onTag: "Tag",
  atCommit: "Commit",
};
