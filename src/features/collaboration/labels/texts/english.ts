/** Labels. */
export const english = {
  labels: "Labels",
  noLabels: "No labels yet",
  noLabelsHint: "Use labels to categorize issues and pull requests.",
  sort: "Sort",
  orders: { name: "Name", "name-desc": "Name, Z to A", newest: "Newest", oldest: "Oldest", issues: "Most open issues" },
  newLabel: "New label",
  create: "Create label",
  editLabel: (name: string) => `Edit label ${name}`,
  name: "Name",
  nameHint: "Use scope/name for labels that exclude each other.",
  color: "Color",
  isExclusive: "Exclusive: only one label of its scope can be set",
  isArchived: "Archived: existing uses are kept, new ones are not possible",
  archived: "archived",
  /** @param hasMore counting stopped at the number */
  openIssues: (count: number, hasMore: boolean) => (count === 1 ? "1 open issue" : `${count}${hasMore ? "+" : ""} open issues`),
};
