/** Forking a repository. */
export const english = {
  title: "Create a new fork",
  how: "A fork is your own copy of a repository. Change it freely, and propose the changes to the original with a pull request.",
  owner: "Owner",
  name: "Repository name",
  nameHint: "By default, a fork has the name of the original. A different name distinguishes it.",
  description: "Description",
  defaultBranchOnly: (branch: string) => `Copy the ${branch} branch only`,
  defaultBranchOnlyHint: "Other branches and all tags are left out. They can be fetched and pushed later.",
  submit: "Create fork",
  present: (count: number) => `You already have ${count === 1 ? "a fork" : "forks"} of this repository:`,
  noOwner: "Each owner can have one fork of a repository. All owners for whom you can create repositories have one.",
};
