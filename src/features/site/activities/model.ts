import type { Unit } from "../../../access/repository.ts";
import type { Commit, Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { CommentView } from "../../collaboration/issues/model.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";

/** The kinds of activities by API name, each with the unit that a reader must be able to read to see its details. */
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
  merge_pull_request: "repo.pulls",
  auto_merge_pull_request: "repo.pulls",
  reopen_pull_request: "repo.pulls",
  approve_pull_request: "repo.pulls",
  reject_pull_request: "repo.pulls",
  pull_review_dismissed: "repo.pulls",
} as const satisfies Readonly<Record<string, Unit | undefined>>;

export type ActivityKind = keyof typeof activityUnits;

/** An activity to insert. */
export interface NewActivity {
  readonly kind: ActivityKind;
  readonly actorId: number;
  readonly repoId: number;
  /** The full name of the moved ref, or the tag of a release. */
  readonly refName?: string;
  readonly oldOid?: Oid | null;
  readonly newOid?: Oid | null;
  /** A previous name, or `number|title` of an issue. */
  readonly subject?: string;
  readonly commentId?: number;
}

/** The activities to delete: of a comment, or with a subject prefix. */
export type Removal = { readonly repoId: number } & ({ readonly commentId: number } | { readonly subject: string });

/** The commits of a push. */
export interface PushView {
  /** Newest first, up to the limit. */
  readonly commits: readonly Commit[];
  /** Undefined for a new branch. */
  readonly oldOid: Oid | undefined;
  readonly newOid: Oid;
}

export interface ActivityView {
  readonly id: number;
  readonly kind: ActivityKind;
  readonly actor: UserView;
  readonly repository: RepositoryView;
  /** Empty if the reader may not see it; the next four are empty then, too. */
  readonly refName: string;
  readonly subject: string;
  readonly commentId: number | null;
  /** Undefined for a deleted comment. */
  readonly comment: CommentView | undefined;
  readonly push: PushView | undefined;
  readonly createdMs: number;
}

/** The number of actions in a quarter of an hour. */
export interface ContributionView {
  readonly startMs: number;
  readonly count: number;
}
