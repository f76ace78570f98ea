import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface PullTables {
  pull_requests: PullRequestsTable;
  pull_checks: PullChecksTable;
  pull_auto_merges: PullAutoMergesTable;
}

export type MergeStyle = "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged";

/** What a pull request has beyond its row among the issues. */
export interface PullRequestsTable {
  id: Generated<number>;
  issue_id: number;
  /** Where it is to be merged: the issue's repository. */
  repo_id: number;
  base_branch: string;
  /** Null: gone. */
  head_repo_id: number | null;
  /** Its name, which is kept when it is gone; of flow `agit` the topic. */
  head_branch: string;
  /** The last commit of the head. Moves with its branch while the pull request is open. */
  head_oid: string;
  /** `agit`: pushed to `refs/for/`, so that no branch stands behind it. */
  flow: "branch" | "agit";
  /** Whoever may merge may push to the head's branch too. */
  allows_maintainer_edit: Flag;
  /** Where head and base parted when it was merged; null before. */
  merged_merge_base_oid: string | null;
  /** What the base was before. */
  merged_base_oid: string | null;
  /** Null: not merged. */
  merged_ms: Millis | null;
  /** Null: the account is gone. */
  merger_id: number | null;
  merge_style: MergeStyle | null;
  /** The commit of the base that holds it. */
  merge_commit_oid: string | null;
}

/** What was computed about a pull request for two tips. It follows from object ids: droppable, and stale only where the ids differ. */
export interface PullChecksTable {
  pull_id: number;
  base_oid: string;
  head_oid: string;
  /** Null: the two have nothing in common. */
  merge_base_oid: string | null;
  outcome: "clean" | "conflict" | "unrelated";
  /** Head and base are alike in the end. */
  is_empty: Flag;
  /** What the head changed since the merge base; null: nobody has asked yet. */
  changed_files: number | null;
  additions: number | null;
  deletions: number | null;
}

/** A merge that waits until the rules of the base branch let it through. */
export interface PullAutoMergesTable {
  pull_id: number;
  /** Who asked for it, and merges then. */
  account_id: number;
  style: MergeStyle;
  title: string;
  message: string;
  deletes_branch: Flag;
  /** The head for which it was asked: a later one is not merged unseen. */
  head_oid: string;
  created_ms: Millis;
}
