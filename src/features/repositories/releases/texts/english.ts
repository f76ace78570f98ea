/** Releases. */
export const english = {
  title: "Releases",
  none: "No releases yet",
  firstOne: "A release is a tag with notes and files.",
  noneForWriters: "A release is a tag with notes and files. Its tag can be created with it.",
  editOf: (name: string) => `Edit ${name}`,
  edit: "Edit",
  delete: "Delete",
  draft: "Draft",
  prerelease: "Pre-release",
  latest: "Latest",
  published: "published this {when}",
  since: (branch: string) => `Commits to ${branch} since then`,
  files: "Files",
  source: (ending: string) => `Source code (${ending})`,
  downloads: (count: number) => (count === 1 ? "1 download" : `${count} downloads`),
  noNote: "No release notes.",
};
