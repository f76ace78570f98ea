import type { PlainReason } from "../../../core/reasons.ts";
import type { MergeStyle } from "../../../db/tables/pulls.ts";

/** Mergeability of a pull request for one viewer. */
export interface Mergeability {
  /** `blocked`: at least one requirement is not met. */
  readonly state: "merged" | "closed" | "blocked" | "ready";
  /** All requirements of a merge in the default style, in the order in which a merge reports them. */
  readonly requirements: readonly Requirement[];
  /** Whether the viewer can merge into the base branch. */
  readonly canMerge: boolean;
  /** Whether the viewer can bypass all unmet requirements. */
  readonly canForce: boolean;
  /** Whether an auto merge can wait for all unmet requirements. */
  readonly canWait: boolean;
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

/** Requirements of the base branch's rule, and of the organization. They can be met later, so an auto merge waits for them. */
export const ruleCodes = [
  "status-checks",
  "required-workflows",
  "approvals",
  "rejections",
  "review-requests",
  "up-to-date",
  "same-rule",
  "protected-files",
  "signing-key",
  "signatures",
] as const;

export type RequirementCode =
  | (typeof ruleCodes)[number]
  | "unarchived"
  | "unmerged"
  | "open"
  | "right"
  | "ready-for-review"
  | "base"
  | "head"
  | "changes"
  | "related"
  | "no-conflict"
  | "dependencies"
  | "style"
  | "seen-head"
  | "fast-forward";

/** A condition of a merge. */
export interface Requirement {
  readonly code: RequirementCode;
  readonly isMet: boolean;
  /** Users who can merge on request although it is not met. */
  readonly override: "none" | "administrators";
  /** The error message of a merge while it is not met. */
  readonly problem: string;
  /** Missing or offending items: contexts of checks, paths, a commit. */
  readonly items: readonly string[];
  /** The items that are checks without any report. */
  readonly unreported?: readonly string[];
  /** For approvals. */
  readonly count?: { readonly given: number; readonly required: number };
  readonly uncounted?: readonly UncountedApproval[];
}

/** An approval that a rule does not count. */
export interface UncountedApproval {
  /** Name of the reviewer. */
  readonly name: string;
  /**
   * `not_listed`: the rule has a list of approvers; `stale`: given for another head or base; `not_official`: it did not count when it was
   * given, or another review was requested since.
   */
  readonly reason: "no_write_access" | "not_listed" | "stale" | "not_official";
}

export const isRule = ({ code }: Pick<Requirement, "code">): boolean => (ruleCodes as readonly string[]).includes(code);

export const unmet = (requirements: readonly Requirement[]): Requirement[] => requirements.filter(({ isMet }) => !isMet);

/** How pages explain an unmet requirement. */
export const reasonsOfRequirements: Readonly<Record<RequirementCode, PlainReason | undefined>> = {
  unarchived: "repository_archived",
  unmerged: "already_merged",
  open: undefined,
  right: "merge_not_allowed",
  "ready-for-review": "pull_is_draft",
  base: "base_deleted",
  head: "head_gone",
  changes: "nothing_to_merge",
  related: "unrelated_histories",
  "no-conflict": "merge_conflict",
  dependencies: "open_dependencies",
  style: "merge_style_not_allowed",
  "seen-head": "head_moved",
  "fast-forward": "not_fast_forward",
  "status-checks": "checks_missing",
  "required-workflows": "required_workflows_missing",
  approvals: "approvals_missing",
  rejections: "changes_requested",
  "review-requests": "review_requests_pending",
  "up-to-date": "head_outdated",
  "same-rule": "rules_changed",
  "protected-files": "protected_files_changed",
  "signing-key": "no_signing_key",
  signatures: "unsigned_commit",
};
