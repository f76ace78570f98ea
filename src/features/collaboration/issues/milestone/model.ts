import type { MilestoneView } from "../../milestones/model.ts";
import type { IssueView } from "../model.ts";

export interface MilestonePlan {
  readonly milestone: MilestoneView;
  readonly issues: readonly IssueView[];
  /** Number of issues and pull requests that the caller can read. */
  readonly counts: { readonly open: number; readonly closed: number };
}
