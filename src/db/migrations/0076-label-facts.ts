import type { Migration } from "./migration.ts";

/** A search for a word and a label looks up the labels of each text. It read the row of each label after the entry of the index. */
export const labelFacts: Migration = {
  id: 76,
  name: "facts of labels",
  statements: [],
  indexes: ["create index issue_labels_facts on issue_labels (issue_id, name, is_closed, is_pull, repo_id)"],
};
