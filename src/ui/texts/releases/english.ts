/** Releases. */
export const releases = {
  title: "Releases",
  none: "There is no release here yet",
  firstOne: "A release is a tag with notes and files: push the tag, then publish it through the API.",
  draft: "Draft",
  prerelease: "Pre-release",
  published: "published this",
  files: "Files",
  source: (ending: string) => `Source code (${ending})`,
  downloads: (count: number) => (count === 1 ? "1 download" : `${count} downloads`),
  noNote: "No notes.",
};
