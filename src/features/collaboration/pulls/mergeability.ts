import type { MergeStyle } from "../../../db/tables/pulls.ts";

/** What a merge would be at this moment, for whoever looks. */
export interface Mergeability {
  readonly state: "merged" | "closed" | "base-gone" | "head-gone" | "draft" | "empty" | "unrelated" | "conflict" | "unmet" | "ready";
  /** The files that both sides changed, in git's order. */
  readonly conflicts: readonly string[];
  /** What the rules of the base branch want and do not have, in the words of the wire. */
  readonly unmet: string | undefined;
  /** Whether whoever looks merges into the base branch. */
  readonly canMerge: boolean;
  /** Whether he may set the rules aside. */
  readonly canForce: boolean;
  /** What the repository allows. */
  readonly styles: readonly OfferedStyle[];
  readonly defaultStyle: OfferedStyle | undefined;
  /** It is merged by itself as soon as the rules let it. */
  readonly isWaiting: boolean;
  readonly canCancel: boolean;
  /** How whoever looks may bring what the base has more into the head; none: he may not, or there is nothing to bring. */
  readonly updates: readonly ("merge" | "rebase")[];
  /** The head's branch, where whoever looks may delete it with the merge. */
  readonly deletesBranch: { readonly branch: string; readonly byDefault: boolean } | undefined;
}

export type OfferedStyle = Exclude<MergeStyle, "manually-merged">;

/** All that are offered, where the repository allows them, in the order of a choice. */
export const offeredStyles: readonly OfferedStyle[] = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"];
