/** Milestones. */
export const english = {
  description: "Description",
  milestones: "Milestones",
  open: "Open",
  closed: "Closed",
  noMilestones: { open: "No open milestones", closed: "No closed milestones" },
  noMilestonesHint: "Use milestones to group issues and pull requests and to track their progress.",
  newMilestone: "New milestone",
  create: "Create milestone",
  editMilestone: (title: string) => `Edit milestone ${title}`,
  title: "Title",
  due: "Due",
  dueOn: "due on",
  wasDueOn: "was due on",
  noDate: "Enter a date such as 2030-01-31.",
  close: "Close",
  reopen: "Reopen",
  progress: (open: number, closed: number) =>
    `${open} open, ${closed} closed${open + closed === 0 ? "" : ` (${Math.floor((100 * closed) / (open + closed))} %)`}`,
};
