/** Who stars, watches and forks a repository. */
export const audience = {
  star: "Star",
  unstar: "Take the star off",
  watch: "Watch",
  unwatch: "Watch no more",
  fork: "Fork",
  titles: { star: "Stars", watch: "Watchers", forks: "Forks" },
  none: { star: "Nobody that you can see has starred this.", watch: "Nobody that you can see watches this.", forks: "There is no fork that you can see." },
  lists: "Who likes and uses it",
};
