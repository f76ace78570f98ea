import type { IssueOrder } from "../../model.ts";

/** Orders of lists, in the words that lists of pull requests have for them. */
export const namedOrders: Readonly<Record<string, IssueOrder>> = { oldest: "oldest", recentupdate: "updated", leastupdate: "least-updated" };

/** The newest first unless another one is asked for. */
export const orderNamed = (name: string | undefined): IssueOrder => namedOrders[name ?? ""] ?? "newest";
