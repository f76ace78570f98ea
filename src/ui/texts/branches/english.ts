/** Branches and tags. */
export const branches = {
  isDefault: "default",
  none: "There are no branches yet.",
  noTags: "There are no tags yet.",
  tagHow: "Make one with git tag, and push it.",
};
