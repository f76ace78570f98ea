/** Saved replies. */
export const english = {
  none: "No saved replies",
  hint: "Save texts that you use often, and insert them into your comments with the menu of the comment form.",
  add: "New saved reply",
  edit: (title: string) => `Edit ${title}`,
  title: "Title",
  content: "Text",
  create: "Add saved reply",
  save: "Update saved reply",
  insert: "Insert saved reply",
  manage: "Manage saved replies",
};
