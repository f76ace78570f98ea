import type { IssueOrder } from "../../model.ts";

/** Sort orders under the names that lists of pull requests use. */
export const namedOrders: Readonly<Record<string, IssueOrder>> = { oldest: "oldest", recentupdate: "updated", leastupdate: "least-updated" };

/** Newest first by default. */
export const orderNamed = (name: string | undefined): IssueOrder => namedOrders[name ?? ""] ?? "newest";
