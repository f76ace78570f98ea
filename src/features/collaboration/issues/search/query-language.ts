import type { IssueOrder } from "../model.ts";

/** A parsed search query. */
export interface TypedQuery {
  readonly state: "open" | "closed" | "all";
  readonly labels: readonly string[];
  readonly milestones: readonly string[];
  readonly author: string;
  readonly assignee: string;
  readonly mentions: string;
  readonly order: IssueOrder;
  /** Qualifiers that do not exist, and values that a qualifier does not have, as typed. */
  readonly unknown: readonly string[];
  /** The remaining words. */
  readonly text: string;
}

/** A value that begins with a colon or two slashes is text: `std::vector`, `https://example.com`. */
const pieces = /(-?[a-z][a-z-]*):(?!:|\/\/)(?:"([^"]*)"?|(\S+))|"([^"]*)"?|(\S+)/g;

const states: Readonly<Record<string, TypedQuery["state"]>> = { open: "open", closed: "closed", all: "all" };

const orders: Readonly<Record<string, IssueOrder>> = {
  created: "newest",
  "created-desc": "newest",
  "created-asc": "oldest",
  updated: "updated",
  "updated-desc": "updated",
  "updated-asc": "least-updated",
};

/**
 * Parses `is:open label:"good first issue" author:ada sort:updated crash on start`. No input is invalid: `unknown` has what is not understood.
 */
export function readTypedQuery(typed: string): TypedQuery {
  const found = {
    state: "open" as TypedQuery["state"],
    labels: [] as string[],
    milestones: [] as string[],
    author: "",
    assignee: "",
    mentions: "",
    order: "newest" as IssueOrder,
  };
  const unknown: string[] = [];
  const words: string[] = [];
  for (const [piece, key = "", quotedValue, value = quotedValue, quoted, word = quoted] of typed.matchAll(pieces)) {
    const state = states[value ?? ""];
    const order = orders[value ?? ""];
    if (word !== undefined || value === undefined || value === "") words.push(word ?? piece);
    else if ((key === "is" || key === "state") && state !== undefined) found.state = state;
    else if (key === "sort" && order !== undefined) found.order = order;
    else if (key === "label") found.labels.push(value);
    else if (key === "milestone") found.milestones.push(value);
    else if (key === "author" || key === "assignee" || key === "mentions") found[key] = value;
    else unknown.push(piece);
  }
  return { ...found, unknown, text: words.join(" ") };
}

/** The same query with another state. */
export const withState = (typed: string, state: TypedQuery["state"]): string =>
  [`is:${state}`, ...typed.split(/\s+/).filter((word) => word !== "" && !/^(?:is|state):(?:open|closed|all)$/.test(word))].join(" ");

/** Query syntax of the orders; undefined for the default order. */
const typedOrders: Readonly<Record<IssueOrder, string | undefined>> = {
  newest: undefined,
  oldest: "sort:created-asc",
  updated: "sort:updated",
  "least-updated": "sort:updated-asc",
};

/** The same query in another order. */
export const withOrder = (typed: string, order: IssueOrder): string =>
  [...typed.split(/\s+/).filter((word) => word !== "" && !/^sort:(?:created|updated)(?:-asc|-desc)?$/.test(word)), typedOrders[order] ?? []].flat().join(" ");
