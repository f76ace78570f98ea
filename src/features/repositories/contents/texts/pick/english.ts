/** Cherry-picking and reverting a commit. */
export const english = {
  title: (commit: string) => `Cherry-pick or revert: ${commit}`,
  how: "Operation",
  pick: "Cherry-pick",
  revert: "Revert",
  branch: "Branch",
  newBranch: "New branch",
  newBranchHint: "Leave empty to commit directly to the branch. With a name, you can open a pull request for it.",
  message: "Commit message",
  messageHint: "Leave empty for the default message.",
  commit: "Commit",
};
