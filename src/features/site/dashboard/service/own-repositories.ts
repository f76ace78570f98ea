import type { Page } from "../../../../core/paging.ts";

export const firstFew = (limit: number): Page => ({ page: 1, limit, offset: 0 });

/** The search for the repositories of a user, last updated first. */
export const ownRepositories = {
  text: "",
  searchesTopics: false,
  searchesDescriptions: false,
  isOwnedOnly: false,
  includesPrivate: true,
  mode: "",
  sort: "updated",
  order: "desc",
};
