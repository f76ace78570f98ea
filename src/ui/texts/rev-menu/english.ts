/** The menu of branches and tags. */
export const english = {
  switchTo: "Switch branches and tags",
  allBranches: "All branches",
  allTags: "All tags",
  revName: "Branch, tag or commit",
  goThere: "Go",
  onBranch: "Branch",
  onTag: "Tag",
  atCommit: "Commit",
};
