import { grouping } from "../grouped.ts";

const grouped = grouping("en");

/** Repositories to be found. */
export const explore = {
  title: "Explore",
  repositories: "Repositories",
  find: "Find a repository",
  findButton: "Find",
  kind: "Kind",
  everyKind: "All kinds",
  kinds: { source: "No forks or mirrors", fork: "Forks", mirror: "Mirrors", template: "Templates", archived: "Archived" },
  sort: "Sort",
  sorts: { updated: "Recently updated", created: "Newest", alpha: "Name", stars: "Most stars", forks: "Most forks" },
  nothingFound: "Nothing fits this search.",
  tryAnother: "Try a shorter word, or look at all repositories.",
  all: "All repositories",
  none: "There is no repository here yet.",
  howToStart: "Make the first one, then push to it.",
  withTopic: (total: number, topic: string) =>
    total === 1 ? `1 repository with the topic ${topic}` : `${grouped(total)} repositories with the topic ${topic}`,
  count: (total: number) => (total === 1 ? "1 repository" : `${grouped(total)} repositories`),
};
