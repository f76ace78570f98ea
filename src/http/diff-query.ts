import { query } from "./query.ts";

/** Display options of changes, shared by all pages that show a diff. */
export const diffQuery = {
  list: query.integer("Page of the file list, starting at 1"),
  piece: query.integer("Page of the changes, starting at 1"),
  part: query.integer("Page of the lines of a single file, starting at 1"),
  whitespace: query.text("Handling of whitespace changes", ["show-all", "ignore-all", "ignore-change", "ignore-eol"]),
  style: query.text("Unified or split view", ["unified", "split"]),
  folded: query.text("Collapses or expands the changes of all files", ["true", "false"]),
} as const;

/** The options of `diffQuery`, plus the selection of one changed file. */
export const diffFileQuery = {
  ...diffQuery,
  file: query.integer("Show a single file, by its position in the list"),
  gap: query.commaSeparated("Lines of that file between changes that are shown too; `all` for the whole file"),
} as const;
