/** Changes of what issues and pull requests are sorted by. */
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

/** Of the two ids that say whose label it is, one is null. */
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
