import type { Paged } from "../../../core/paging.ts";
import type { IssueView } from "../../collaboration/issues/model.ts";
import type { TaskProgress } from "../../collaboration/issues/tasks/service/progress.ts";
import type { OrganizationView } from "../../organizations/orgs/model.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import type { ActivityView } from "../activities/model.ts";

/** The kinds of items that need the user's attention, most urgent first, each with the search that finds all. */
export const waitingKinds = {
  reviews: { kind: "pulls", typed: "is:open review-requested:@me" },
  assigned: { kind: "issues", typed: "is:open assignee:@me" },
  mentioned: { kind: "issues", typed: "is:open mentions:@me" },
  pulls: { kind: "pulls", typed: "is:open author:@me" },
} as const;
export type WaitingKind = keyof typeof waitingKinds;

export type ListedKind = "issues" | "pulls";

export interface Waiting {
  readonly kind: WaitingKind;
  readonly issues: readonly IssueView[];
  readonly total: number;
}

export interface DashboardView {
  /** The organization that the lists are limited to. */
  readonly organization?: string | undefined;
  readonly waiting: readonly Waiting[];
  readonly progress: TaskProgress;
  readonly newsCount: number;
  readonly repositories: Paged<RepositoryView>;
  readonly organizations: Paged<OrganizationView>;
  readonly activities: readonly ActivityView[];
}
