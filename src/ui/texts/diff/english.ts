/** Diffs. */
export const english = {
  plainFile: "regular file",
  executable: "executable",
  symbolicLink: "symbolic link",
  submodule: "submodule",
  oldLine: "Old line",
  newLine: "New line",
  before: "Before",
  after: "After",
  moreLines: "Expand lines",
  unended: "No newline at end of file",
  talkAbout: (line: number) => `Comment on line ${line}`,
  showing: "Diff view",
  unified: "Unified",
  split: "Split",
};
