import type { BuiltStyle } from "./build.ts";

export interface MergeRequest {
  readonly style: BuiltStyle;
  /** Empty: the default title. */
  readonly title: string;
  readonly message: string;
  /** Adds the co-authors of a squashed commit also to a message with a title. */
  readonly addsCoAuthors?: boolean;
  /** Head that the caller has seen; empty: any. */
  readonly expectedHeadOid: string;
  /** Null: the repository's default. */
  readonly deletesBranch: boolean | null;
  /** Bypasses unmet rules; only for users who may. */
  readonly isForced: boolean;
  /** The user scheduled this merge earlier. */
  readonly isScheduled?: boolean;
}
