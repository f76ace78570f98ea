/** Texts within rendered Markdown. */
export const english = {
  task: "Task",
  createIssue: "Create issue",
  contents: "Contents",
  headingLink: "Link to this heading",
  alerts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
};
