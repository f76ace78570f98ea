import { formatTime } from "../../../core/time.ts";
import type { Milestone } from "../../../wire/milestone.ts";
import type { MilestoneView } from "./model.ts";

/** Presents a milestone, alone or on an issue (wire facts 4.8). */
export const presentMilestone = (milestone: MilestoneView): Milestone => ({
  id: milestone.id,
  title: milestone.title,
  description: milestone.description,
  state: milestone.isClosed ? "closed" : "open",
  open_issues: milestone.openIssuesCount,
  closed_issues: milestone.closedIssuesCount,
  created_at: formatTime(milestone.createdMs),
  updated_at: formatTime(milestone.updatedMs),
  closed_at: milestone.closedMs === null ? null : formatTime(milestone.closedMs),
  due_on: milestone.dueMs === null ? null : formatTime(milestone.dueMs),
});
