/** A list of changed files. */
export const english = {
  files: "Changed files",
  whitespace: "Whitespace",
  allChanges: "Show whitespace",
  withoutSpace: "Hide whitespace",
  allFiles: "All files",
  viewed: "Viewed",
  long: "Large diffs are not rendered by default.",
  showLong: "Load diff",
  lists: "Pages of the file list",
  listed: (first: number, last: number) => `Files ${first}–${last}`,
  filesBefore: "Previous files",
  filesBehind: "More files",
  pieces: "Pages of the diff",
  parts: "Pages of the file",
  onlyMode: "File renamed without changes, or only its mode changed.",
};
