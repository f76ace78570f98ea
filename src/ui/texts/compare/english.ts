/** Two branches beside each other. */
export const compare = {
  title: "Compare branches",
  base: "Base",
  head: "Compared with",
  headHint: "A branch, or owner:branch of a fork",
  compare: "Compare",
  nothing: "The base has all of these commits already",
  nothingHint: "Choose another branch, or push commits to this one.",
  notThere: "There is no such branch, tag or commit.",
  commits: (total: number) => (total === 1 ? "1 commit" : `${total} commits`),
  signIn: "to open a pull request.",
  open: "Open a pull request",
  submit: "Open the pull request",
};
