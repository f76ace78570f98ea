/** Blocked users. */
export const english = {
  none: { user: "You have not blocked any users", organization: "The organization has not blocked any users" },
  hint: {
    user: "Blocked users cannot comment, react, star or watch in your repositories. Blocking removes follows in both directions.",
    organization: "Blocked users cannot comment, react, star or watch in the organization's repositories.",
  },
  add: "Block user",
  name: "Username",
  note: "Note",
  noteHint: "Only visible to you.",
  block: "Block",
  unblock: "Unblock",
};
