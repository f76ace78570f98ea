import type { Migration } from "./migration.ts";

/** With the default of 100 examples of texts, a word in 0.1 % of them is estimated as one in 1 %. */
const moreExamples = (table: string) => ({ sqlite: null, postgres: `alter table ${table} alter column content set statistics 1000` });
const examine = (table: string) => ({ sqlite: null, postgres: `analyze ${table}` });

/** PostgreSQL estimates how many texts contain a word, to read either the newest texts or the index of words. */
export const textStatistics: Migration = {
  id: 57,
  name: "text statistics",
  statements: [moreExamples("issue_texts"), moreExamples("comment_texts"), examine("issue_texts"), examine("comment_texts")],
};
