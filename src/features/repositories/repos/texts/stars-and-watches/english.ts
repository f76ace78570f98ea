/** Stars, watches and forks of a repository. */
export const english = {
  titles: { star: "Stars", watch: "Watchers", forks: "Forks" },
  none: { star: "No stars yet.", watch: "No watchers yet.", forks: "No forks yet." },
  hints: {
    star: "Starred repositories are listed on your profile.",
    watch: "Watchers are notified of issues, pull requests and releases.",
    forks: "A fork is your own copy, from which you can propose changes.",
  },
  whereToBegin: "Use the buttons on the repository's start page.",
  lists: "Stars, watchers and forks",
};
