import type { IssueEvent } from "./issue-events.ts";

/**
 * What happens to pull requests alone. What they share with issues is told as of those, with `isPull`: that one was opened (`issue.created`),
 * closed without a merge, reopened, edited, labelled, assigned, commented on. A merge closes it, and is told by `pull.merged` alone.
 */
export interface PullEvents {
  "pull.merged": PullEvent & {
    readonly style: string;
    /** The commit of the base branch that holds it. */
    readonly mergeCommitOid: string;
    /** Found in the base branch after a push, rather than merged here. */
    readonly isByPush: boolean;
  };
  /** Its head has other commits now. */
  "pull.synchronized": PullEvent & { readonly formerHeadOid: string };
  "pull.retargeted": PullEvent & { readonly formerBaseBranch: string };
  /** It is to be merged by the actor as soon as the rules let it through. */
  "pull.merge_scheduled": PullEvent & { readonly style: string };
  "pull.merge_unscheduled": PullEvent;
}

export interface PullEvent extends IssueEvent {
  readonly isPull: true;
  readonly pullId: number;
  readonly baseBranch: string;
  /** Null: gone. */
  readonly headRepoId: number | null;
  readonly headBranch: string;
  readonly headOid: string;
}
