import type { Unit } from "../../../access/repository.ts";
import type { Commit, Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { CommentView } from "../../collaboration/issues/model.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";

/** What somebody did, as the wire names it, and the part of the repository that one must be able to read to see more than that. */
export const activityUnits = {
  create_repo: undefined,
  rename_repo: undefined,
  transfer_repo: undefined,
  commit_repo: "repo.code",
  push_tag: "repo.code",
  delete_tag: "repo.code",
  delete_branch: "repo.code",
  publish_release: "repo.releases",
  create_issue: "repo.issues",
  comment_issue: "repo.issues",
  close_issue: "repo.issues",
  reopen_issue: "repo.issues",
  create_pull_request: "repo.pulls",
  comment_pull: "repo.pulls",
  close_pull_request: "repo.pulls",
  reopen_pull_request: "repo.pulls",
  approve_pull_request: "repo.pulls",
  reject_pull_request: "repo.pulls",
  pull_review_dismissed: "repo.pulls",
} as const satisfies Readonly<Record<string, Unit | undefined>>;

export type ActivityKind = keyof typeof activityUnits;

/** A fact of a feed as it is written. */
export interface NewActivity {
  readonly kind: ActivityKind;
  readonly actorId: number;
  readonly repoId: number;
  /** The whole name of the ref that moved; the tag of a release. */
  readonly refName?: string;
  readonly oldOid?: Oid | null;
  readonly newOid?: Oid | null;
  /** A former name, or `number|title` of an issue. */
  readonly subject?: string;
  readonly commentId?: number;
}

/** What feeds no longer tell: of a comment, or of everything whose subject begins so. */
export type Removal = { readonly repoId: number } & ({ readonly commentId: number } | { readonly subject: string });

/** What a push brought. */
export interface PushView {
  /** Newest first, as far as they were counted. */
  readonly commits: readonly Commit[];
  /** Undefined for a branch that was new. */
  readonly oldOid: Oid | undefined;
  readonly newOid: Oid;
}

export interface ActivityView {
  readonly id: number;
  readonly kind: ActivityKind;
  readonly actor: UserView;
  readonly repository: RepositoryView;
  /** Empty where it is withheld, as the next four are then. */
  readonly refName: string;
  readonly subject: string;
  readonly commentId: number | null;
  /** Undefined for one that is gone as well. */
  readonly comment: CommentView | undefined;
  readonly push: PushView | undefined;
  readonly createdMs: number;
}

/** A quarter of an hour in which somebody did something. */
export interface ContributionView {
  readonly startMs: number;
  readonly count: number;
}
