import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface PullTables {
  pull_requests: PullRequestsTable;
  pull_merge_checks: PullMergeChecksTable;
  pull_auto_merges: PullAutoMergesTable;
}

export type MergeStyle = "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged";

/** Data of a pull request beyond its issue row. */
export interface PullRequestsTable {
  id: Generated<number>;
  issue_id: number;
  /** Base repository: the issue's repository. */
  repo_id: number;
  base_branch: string;
  /** Null: deleted. */
  head_repo_id: number | null;
  /** Branch name, kept after the branch is deleted; the topic for flow `agit`. */
  head_branch: string;
  /** Last commit of the head. Follows its branch while the pull request is open. */
  head_oid: string;
  /** `agit`: pushed to `refs/for/`, without a branch. */
  flow: "branch" | "agit";
  /** Users who can merge may also push to the head branch. */
  allows_maintainer_edit: Flag;
  /** Merge base at the time of the merge; null before. */
  merged_merge_base_oid: string | null;
  /** The base commit before the merge. */
  merged_base_oid: string | null;
  /** Null: not merged. */
  merged_ms: Millis | null;
  /** Null: the account was deleted. */
  merger_id: number | null;
  merge_style: MergeStyle | null;
  /** The commit of the base branch that contains the merge. */
  merge_commit_oid: string | null;
}

/**
 * Results computed for a pull request and two tips. A cache keyed by object ids: it may be deleted, and is stale only if the ids differ.
 */
export interface PullMergeChecksTable {
  pull_id: number;
  base_oid: string;
  head_oid: string;
  /** Null: unrelated histories. */
  merge_base_oid: string | null;
  outcome: "clean" | "conflict" | "unrelated";
  /** Head and base have no differences. */
  is_empty: Flag;
  /** Files changed since the merge base; null: not computed yet. */
  changed_files: number | null;
  additions: number | null;
  deletions: number | null;
}

/** Merges scheduled for when the rules of the base branch allow them. */
export interface PullAutoMergesTable {
  pull_id: number;
  /** The account that scheduled it and performs the merge. */
  account_id: number;
  style: MergeStyle;
  title: string;
  message: string;
  deletes_branch: Flag;
  /** The head at scheduling: a later head is not merged unreviewed. */
  head_oid: string;
  created_ms: Millis;
}
