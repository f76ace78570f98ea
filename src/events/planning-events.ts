/** Changes of labels and milestones. */
export interface PlanningEvents {
  "label.created": LabelEvent;
  "label.updated": LabelEvent & { readonly formerName: string; readonly formerColor: string };
  "label.deleted": LabelEvent;
  "milestone.created": MilestoneEvent;
  "milestone.updated": MilestoneEvent & { readonly formerTitle: string };
  "milestone.closed": MilestoneEvent;
  "milestone.reopened": MilestoneEvent;
  "milestone.deleted": MilestoneEvent;
}

/** A label belongs to a repository or an organization: one of the two ids is null. */
export interface LabelEvent {
  readonly labelId: number;
  readonly repoId: number | null;
  readonly orgId: number | null;
  readonly name: string;
  readonly color: string;
}

export interface MilestoneEvent {
  readonly repoId: number;
  readonly milestoneId: number;
  readonly title: string;
}
