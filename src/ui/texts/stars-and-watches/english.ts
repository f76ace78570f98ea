/** Who stars, watches and forks a repository. */
export const audience = {
  star: "Star",
  unstar: "Take the star off",
  watch: "Watch",
  unwatch: "Watch no more",
  fork: "Fork",
  titles: { star: "Stars", watch: "Watchers", forks: "Forks" },
  none: { star: "Nobody that you can see has starred this.", watch: "Nobody that you can see watches this.", forks: "There is no fork that you can see." },
  hints: {
    star: "A star says that one likes it, and keeps it in one's own list.",
    watch: "Who watches it is told of its issues, pull requests and releases.",
    forks: "A fork is a copy of one's own, to change and to propose changes from.",
  },
  whereToBegin: "The button stands on the first page of the repository",
  lists: "Who likes and uses it",
};
