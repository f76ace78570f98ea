import type { Page } from "../../../core/paging.ts";
import type { Mistake } from "../../../core/workflow-mistakes.ts";
import type { Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";

export interface StatusView {
  /** Counts from 1 per commit. */
  readonly number: number;
  readonly oid: Oid;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly targetUrl: string;
  /** Undefined if the account was deleted. */
  readonly creator: UserView | undefined;
  readonly createdMs: number;
}

/** The state of the job behind a check of this server, from which pages make a text. */
export type CheckProgress =
  | { readonly state: "waiting" | "blocked" | "running" | "skipped" | "cancelled" }
  | { readonly state: "success" | "failure"; readonly seconds: number }
  /** Its matrix is expanded: the jobs of the matrix have checks of their own. */
  | { readonly state: "replaced" }
  /** The workflow file has a mistake. */
  | { readonly state: "invalid"; readonly path: string; readonly mistake: Mistake | undefined };

/** The combined state of all checks of a commit. */
export type CombinedState = "success" | "failure" | "pending";

/** Combines the latest state of each context: any failure results in failure, otherwise any unfinished check in pending. An empty list is pending. */
export function combine(states: readonly string[]): CombinedState {
  if (states.length === 0) return "pending";
  if (states.some((state) => state === "failure" || state === "error" || state === "warning")) return "failure";
  return states.every((state) => state === "success" || state === "skipped") ? "success" : "pending";
}

export type StatusOrder = "newest" | "oldest" | "lowest" | "highest";

export interface StatusListing {
  readonly order: StatusOrder;
  /** Undefined for any state. */
  readonly state: string | undefined;
  readonly page: Page;
}

export interface NewStatus {
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly targetUrl: string;
}
