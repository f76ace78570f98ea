/** Lists of commits. */
export const history = {
  title: (name: string) => `Commits on ${name}`,
  none: "No commits here.",
  by: (name: string) => `by ${name}`,
  verified: "Verified",
  browse: "Files at this commit",
  ofPath: "Commits that changed",
};
