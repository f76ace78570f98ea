import type { Page } from "../../../core/paging.ts";
import type { Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";

export interface StatusView {
  /** Counts from 1 for each commit. */
  readonly number: number;
  readonly oid: Oid;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly targetUrl: string;
  /** Undefined: the account is gone. */
  readonly creator: UserView | undefined;
  readonly createdMs: number;
}

/** What all checks of a commit say together. */
export type CombinedState = "success" | "failure" | "pending";

/** By the newest status of each context: one that fails fails all, then one that has not ended keeps all waiting. None: nothing has ended. */
export function combine(states: readonly string[]): CombinedState {
  if (states.length === 0) return "pending";
  if (states.some((state) => state === "failure" || state === "error" || state === "warning")) return "failure";
  return states.every((state) => state === "success" || state === "skipped") ? "success" : "pending";
}

export type StatusOrder = "newest" | "oldest" | "lowest" | "highest";

export interface StatusListing {
  readonly order: StatusOrder;
  /** Undefined for statuses of any state. */
  readonly state: string | undefined;
  readonly page: Page;
}

export interface NewStatus {
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly targetUrl: string;
}
