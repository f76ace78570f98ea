import type { IssueView } from "../model.ts";

/** Pull requests and branches with the work on an issue, or the issues that a pull request closes. */
export interface Development {
  /** Those that the reader can see. */
  readonly linked: readonly IssueView[];
  /** Existing branches that are linked to the issue, the oldest link first. */
  readonly branches: readonly string[];
  /** The proposed values of a new branch; undefined if the reader cannot create it. */
  readonly newBranch: NewIssueBranch | undefined;
}

export interface NewIssueBranch {
  readonly name: string;
  /** The branch, tag or commit to start from. */
  readonly from: string;
}
