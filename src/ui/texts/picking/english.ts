/** A commit that is carried over to a branch, or taken back there. */
export const picking = {
  link: "Cherry-pick or revert",
  title: (commit: string) => `Carry over: ${commit}`,
  how: "What to do",
  pick: "Carry it over (cherry-pick)",
  revert: "Take it back (revert)",
  branch: "Branch",
  newBranch: "New branch",
  newBranchHint: "Left empty, the commit goes onto the branch itself. With a name, it waits there to be proposed.",
  message: "Message of the commit",
  messageHint: "Left empty, it is the customary one.",
  commit: "Commit",
  revertPull: "Revert",
};
