import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface LabelAndMilestoneTables {
  labels: LabelsTable;
  milestones: MilestonesTable;
  milestone_positions: MilestonePositionsTable;
}

/** A label belongs to a repository or an organization: exactly one of the two ids is set. */
export interface LabelsTable {
  id: Generated<number>;
  repo_id: number | null;
  org_id: number | null;
  name: string;
  /** Six lower-case hex digits. */
  color: string;
  description: string;
  is_exclusive: Flag;
  is_archived: Flag;
  created_ms: Millis;
  updated_ms: Millis;
}

export interface MilestonesTable {
  id: Generated<number>;
  repo_id: number;
  title: string;
  /** Lower-case title, for searching. */
  title_folded: string;
  description: string;
  is_closed: Flag;
  due_ms: Millis | null;
  closed_ms: Millis | null;
  /** Issues and pull requests; updated in the transaction that changes them. */
  open_issues_count: Generated<number>;
  closed_issues_count: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
}

/** The position of an issue in its milestone, from 1; issues without one are last. Has no effect after the issue changes its milestone. */
export interface MilestonePositionsTable {
  issue_id: number;
  milestone_id: number;
  position: number;
}
