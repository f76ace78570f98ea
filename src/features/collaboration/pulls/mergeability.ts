import type { MergeStyle } from "../../../db/tables/pulls.ts";

/** Mergeability of a pull request for one viewer. */
export interface Mergeability {
  readonly state: "merged" | "closed" | "base-gone" | "head-gone" | "draft" | "empty" | "unrelated" | "conflict" | "unmet" | "ready";
  /** Files changed by both sides, in git's order. */
  readonly conflicts: readonly string[];
  /** The first unmet rule of the base branch, as worded on the wire. */
  readonly unmet: string | undefined;
  /** Whether the viewer can merge into the base branch. */
  readonly canMerge: boolean;
  /** Whether the viewer can bypass the rules. */
  readonly canForce: boolean;
  /** Merge styles that the repository allows. */
  readonly styles: readonly OfferedStyle[];
  readonly defaultStyle: OfferedStyle | undefined;
  /** Whether an auto merge is scheduled. */
  readonly isWaiting: boolean;
  readonly canCancel: boolean;
  /** How the viewer can update the head from its base; empty if they cannot, or the head is up to date. */
  readonly updates: readonly ("merge" | "rebase")[];
  /** The head branch, if the viewer can delete it with the merge. */
  readonly deletesBranch: { readonly branch: string; readonly byDefault: boolean } | undefined;
}

export type OfferedStyle = Exclude<MergeStyle, "manually-merged">;

/** All styles that a repository can allow, in display order. */
export const offeredStyles: readonly OfferedStyle[] = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"];
