import type { IssueEvent } from "./issue-events.ts";

/**
 * Events of pull requests only. Events that issues share are recorded as issue events with `isPull`: opened (`issue.created`), closed
 * without a merge, reopened, edited, labelled, assigned, commented. A merge also closes the pull request, but records only `pull.merged`.
 */
export interface PullEvents {
  "pull.merged": PullEvent & {
    readonly style: string;
    /** The commit of the base branch that contains the merge. */
    readonly mergeCommitOid: string;
    /** Detected in the base branch after a push, not merged here. */
    readonly isByPush: boolean;
    /** Merged by the server when the requirements were met, as the actor had scheduled. */
    readonly isScheduled: boolean;
  };
  /** The head has new commits. */
  "pull.synchronized": PullEvent & { readonly formerHeadOid: string };
  "pull.retargeted": PullEvent & { readonly formerBaseBranch: string };
  /** The actor scheduled an automatic merge for when the rules allow it. */
  "pull.merge_scheduled": PullEvent & { readonly style: string };
  "pull.merge_unscheduled": PullEvent;
}

export interface PullEvent extends IssueEvent {
  readonly isPull: true;
  readonly pullId: number;
  readonly baseBranch: string;
  /** Null: deleted. */
  readonly headRepoId: number | null;
  readonly headBranch: string;
  readonly headOid: string;
}
