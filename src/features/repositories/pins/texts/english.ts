/** Pinned repositories. */
export const english = {
  title: "Pinned",
  customize: "Customize pins",
  hint: (max: number) => `Your profile shows up to ${max} pinned repositories first, each to the users who can read it.`,
  organizationHint: (max: number) => `The profile of the organization shows up to ${max} of its repositories first, each to the users who can read it.`,
  none: "No pinned repositories",
  add: "Pin a repository",
  repository: "Repository",
  repositoryHint: "The name of one of your repositories, or owner/name.",
  ownHint: "The name of a repository of this organization.",
  pin: "Pin repository",
  unpin: "Unpin",
  moves: { up: "Move up", down: "Move down" },
  full: (max: number) => `${max} repositories are pinned. Unpin one to pin another one.`,
};
