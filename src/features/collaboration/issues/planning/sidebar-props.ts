import type { UserView } from "../../../accounts/users/model.ts";
import type { LabelView } from "../../labels/model.ts";
import type { MilestoneView } from "../../milestones/model.ts";
import type { Development } from "../development/model.ts";
import type { IssueView } from "../model.ts";

export type ListedKind = "issues" | "pulls";

/** Values that issues can have. */
export interface PlanChoices {
  readonly labels: readonly LabelView[];
  readonly milestones: readonly MilestoneView[];
}

export interface SideChoices extends PlanChoices {
  /** Users to whom the issue can be assigned. */
  readonly people: readonly UserView[];
}

/** The sidebar of an issue and what the reader can change in it. */
export interface SidebarProps {
  /** Undefined if the reader cannot plan the issue. */
  readonly choices: SideChoices | undefined;
  /** Name of the reader; undefined for visitors. */
  readonly self: string | undefined;
  /** Users who opened, commented on or reviewed it. */
  readonly participants: readonly UserView[];
  /** Undefined for anonymous readers. */
  readonly isSubscribed: boolean | undefined;
  /** Whether the reader ignores the repository, which excludes all notifications. */
  readonly ignoresRepository: boolean;
  readonly waitsFor: readonly IssueView[];
  readonly blocks: readonly IssueView[];
  readonly development: Development;
  readonly linksDependencies: boolean;
  /** Undefined if time tracking is disabled or hidden from the reader. */
  readonly time: TimeSidebarProps | undefined;
  /** Whether the reader can lock and pin the issue. */
  readonly canModerate: boolean;
}

export interface OwnTime {
  readonly id: number;
  readonly seconds: number;
  readonly createdMs: number;
}

export interface TimeSidebarProps {
  /** Of all users for readers who can write the issue, otherwise only the reader's own. */
  readonly trackedSeconds: number;
  readonly canTrack: boolean;
  /** The reader's own times, latest first. */
  readonly ownTimes: readonly OwnTime[];
  /** Seconds on the reader's stopwatch on this issue; undefined if none is running. */
  readonly runningSeconds: number | undefined;
}
