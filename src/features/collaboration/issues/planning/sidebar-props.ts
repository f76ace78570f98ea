import type { LabelView } from "../../labels/model.ts";
import type { MilestoneView } from "../../milestones/model.ts";
import type { IssueView } from "../model.ts";

/** Which of both a list shows. */
export type ListedKind = "issues" | "pulls";

/** What issues may be given. */
export interface PlanChoices {
  readonly labels: readonly LabelView[];
  readonly milestones: readonly MilestoneView[];
}

/** What stands beside an issue, and what the reader may do there. */
export interface SidebarProps {
  /** Undefined for readers who may not plan it. */
  readonly choices: PlanChoices | undefined;
  /** Undefined for visitors. */
  readonly isSubscribed: boolean | undefined;
  readonly waitsFor: readonly IssueView[];
  readonly blocks: readonly IssueView[];
  readonly linksDependencies: boolean;
  /** Undefined where times are not tracked, or not told to the reader. */
  readonly time: TimeSidebarProps | undefined;
  /** Whether the reader may lock and pin the issue. */
  readonly canModerate: boolean;
}

export interface OwnTime {
  readonly id: number;
  readonly seconds: number;
  readonly createdMs: number;
}

export interface TimeSidebarProps {
  /** Of everybody for those who write the issue, else the reader's own. */
  readonly trackedSeconds: number;
  readonly canTrack: boolean;
  /** The reader's own times, the last ones first. */
  readonly ownTimes: readonly OwnTime[];
  /** Of the reader's stopwatch on it; undefined where none runs. */
  readonly runningSeconds: number | undefined;
}
