export interface MilestoneView {
  readonly id: number;
  readonly repoId: number;
  /** May be empty, and may be another one's too. */
  readonly title: string;
  readonly description: string;
  readonly isClosed: boolean;
  /** Null: without a date. */
  readonly dueMs: number | null;
  /** Null while it is open. */
  readonly closedMs: number | null;
  /** Issues and pull requests. */
  readonly openIssuesCount: number;
  readonly closedIssuesCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface NewMilestoneInput {
  readonly title: string;
  readonly description: string;
  readonly isClosed: boolean;
  readonly dueMs: number | null;
}

export interface MilestoneEdit {
  /** Empty: stays as it is. */
  readonly title: string;
  /** Null: stays as it is. */
  readonly description: string | null;
  /** Null: stays as it is. */
  readonly isClosed: boolean | null;
  /** @compat null: without a date from now on, for an edit always states it */
  readonly dueMs: number | null;
}

export interface MilestoneFilter {
  readonly state: "open" | "closed" | "all";
  /** Part of the title, whatever its case; empty for any. */
  readonly text: string;
}
