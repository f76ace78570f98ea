import { query } from "./query.ts";

/** How people look at changes, as the pages declare alike that show some. */
export const diffQuery = {
  list: query.integer("Which part of the list of files, from 1"),
  piece: query.integer("Which part of the changes, from 1"),
  part: query.integer("Of one file alone: which part of its lines, from 1"),
  whitespace: query.text("Which differences of white space count", ["show-all", "ignore-all", "ignore-change", "ignore-eol"]),
  style: query.text("Both sides in one column, or beside each other", ["unified", "split"]),
} as const;

/** The same, and one of the changed files by itself. */
export const diffFileQuery = {
  ...diffQuery,
  file: query.integer("One file alone, by its place among all"),
  gap: query.commaSeparated("Of that file: lines between changes that are shown too"),
} as const;
