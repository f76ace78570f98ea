export interface MilestoneView {
  readonly id: number;
  readonly repoId: number;
  /** May be empty. Need not be unique. */
  readonly title: string;
  readonly description: string;
  readonly isClosed: boolean;
  /** Null: no due date. */
  readonly dueMs: number | null;
  /** Null while the milestone is open. */
  readonly closedMs: number | null;
  /** Counts issues and pull requests. */
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
  /** Empty leaves the title unchanged. */
  readonly title: string;
  /** Null leaves the description unchanged. */
  readonly description: string | null;
  /** Null leaves the state unchanged. */
  readonly isClosed: boolean | null;
  /** @compat null removes the due date: an edit always sets it (milestones/api.test.ts) */
  readonly dueMs: number | null;
}

export interface MilestoneFilter {
  readonly state: "open" | "closed" | "all";
  /** Part of the title, case-insensitive; empty matches all. */
  readonly text: string;
}
