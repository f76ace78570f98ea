import type { IssueOrder } from "../../model.ts";
import type { IssueQuery } from "../service/list.ts";

/** Sort orders under the names that lists of pull requests use. */
export const namedOrders: Readonly<Record<string, IssueOrder>> = { oldest: "oldest", recentupdate: "updated", leastupdate: "least-updated" };

/** Newest first by default. */
export const orderNamed = (name: string | undefined): IssueOrder => namedOrders[name ?? ""] ?? "newest";

/** Parameters that the list of a repository and the search across repositories share. */
export interface ListParameters {
  readonly state: string | undefined;
  readonly type: string | undefined;
  readonly q: string | undefined;
  readonly labels: readonly string[];
  readonly milestones: readonly string[];
  readonly created_by: string | undefined;
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly sort: string | undefined;
}

export const readListQuery = (query: ListParameters): Omit<IssueQuery, "assignedTo" | "mentions"> => ({
  state: query.state ?? "",
  type: query.type ?? "",
  text: query.q ?? "",
  labels: query.labels,
  milestones: query.milestones,
  createdBy: query.created_by ?? "",
  sinceMs: query.since,
  beforeMs: query.before,
  order: orderNamed(query.sort),
});
