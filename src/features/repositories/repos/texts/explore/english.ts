import { grouping } from "../../../../../ui/texts/numbers.ts";

const grouped = grouping("en");

/** Exploring repositories. */
export const english = {
  title: "Explore",
  find: "Search repositories",
  findButton: "Search",
  kind: "Type",
  everyKind: "All types",
  kinds: { source: "No forks or mirrors", fork: "Forks", mirror: "Mirrors", template: "Templates", archived: "Archived" },
  sort: "Sort",
  sorts: { updated: "Recently updated", created: "Newest", alpha: "Name", stars: "Most stars", forks: "Most forks" },
  nothingFound: "No results",
  tryAnother: "Try a shorter search term, or view all repositories.",
  all: "All repositories",
  none: "No repositories yet.",
  howToStart: "Create a repository",
  withTopic: (total: number, topic: string) =>
    total === 1 ? `1 repository with the topic ${topic}` : `${grouped(total)} repositories with the topic ${topic}`,
  count: (total: number) => (total === 1 ? "1 repository" : `${grouped(total)} repositories`),
  updated: "Updated",
};
