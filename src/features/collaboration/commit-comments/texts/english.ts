/** Comments on commits. */
export const english = {
  title: (count: number) => (count === 1 ? "1 comment" : `${count} comments`),
  none: "No comments",
  write: "Add a comment",
  comment: "Comment",
  signIn: "to comment on this commit.",
  editTitle: (commit: string) => `Edit comment on commit ${commit}`,
};
