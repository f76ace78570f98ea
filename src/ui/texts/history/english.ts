/** Lists of commits. */
export const history = {
  title: (name: string) => `Commits on ${name}`,
  none: "No commits here.",
  by: (name: string) => `by ${name}`,
  verified: "Verified",
  browse: "Files at this commit",
  graph: "Commit graph",
  graphOf: "Branch",
  allBranches: "All branches",
  show: "Show",
  older: "The picture ends here. Older commits are in the history.",
  contributors: "Contributors",
  contributed: (commits: number, people: number, branch: string) =>
    `${commits === 1 ? "1 commit" : `${commits} commits`} by ${people === 1 ? "1 person" : `${people} people`} on ${branch}, without merges.`,
  countedOnly: (commits: number) => `The newest ${commits} commits are counted.`,
  othersToo: (people: number) => (people === 1 ? "And 1 person more." : `And ${people} people more.`),
  plotOf: (from: string, to: string) => `Commits over time, from ${from} to ${to}`,
  plotInWords: "The same as a table",
  from: "From",
  commits: "Commits",
  commitCount: (commits: number) => (commits === 1 ? "1 commit" : `${commits} commits`),
  ofPath: "Commits that changed",
};
