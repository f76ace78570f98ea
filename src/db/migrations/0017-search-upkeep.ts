import type { Migration } from "./migration.ts";

/**
 * PostgreSQL puts new texts into a list beside the index, which every search reads from end to end, and which whoever fills it merges.
 * With the 4 MB that it takes by default one new issue of a thousand waits 60 ms for all the others; with this, one of 140 waits 20.
 */
const shorterList = (index: string) => ({ sqlite: null, postgres: `alter index ${index} set (gin_pending_list_limit = 512)` });

export const searchUpkeep: Migration = {
  id: 17,
  name: "upkeep of the search",
  statements: [shorterList("issue_texts_content"), shorterList("comment_texts_content")],
};
