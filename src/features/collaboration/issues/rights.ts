import { type Actor, isSelf, isUser } from "../../../access/actor.ts";
import { atLeast, type Unit, writesAny } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";

/** Facts for authorizing access to an issue. */
export interface IssueRightsInput {
  readonly isPull: boolean;
  readonly isLocked: boolean;
  readonly posterId: number | null;
}

export const unitOf = ({ isPull }: Pick<IssueRightsInput, "isPull">): Unit => (isPull ? "repo.pulls" : "repo.issues");

export const canReadIssue = ({ right }: Pick<RepositorySubject, "right">, issue: Pick<IssueRightsInput, "isPull">): boolean =>
  atLeast(right.unit(unitOf(issue)), "read");

type Readable = Pick<RepositorySubject, "right" | "isEmpty" | "isMirror">;

/** @compat Pull requests of an empty repository and of a mirror do not count (pulls/api/disabled-units.test.ts). */
export const canReadPulls = (repository: Readable): boolean => canReadIssue(repository, { isPull: true }) && !repository.isEmpty && !repository.isMirror;

/** Whether the repository has issues or pull requests that the caller can read. */
export const hasReadableIssues = (repository: Readable): boolean => canReadIssue(repository, { isPull: false }) || canReadPulls(repository);

/** Readers of pull requests can lack access to the code: they see conversations, but no commits and no lines of files. */
export const canReadCode = ({ right }: Pick<RepositorySubject, "right">): boolean => atLeast(right.unit("repo.code"), "read");

export const canWriteIssue = ({ right }: Pick<RepositorySubject, "right">, issue: Pick<IssueRightsInput, "isPull">): boolean =>
  writesAny(right, [unitOf(issue)]);

/** The author can change title, text, ref and state. All other changes require write access to issues. */
export const canEditIssue = (actor: Actor, repository: Pick<RepositorySubject, "right">, issue: IssueRightsInput): boolean =>
  isUser(actor) && ((issue.posterId !== null && isSelf(actor, issue.posterId)) || canWriteIssue(repository, issue));

/** A comment can be changed by its author and by users who can write issues. */
export const editsComment = (
  actor: Actor,
  repository: Pick<RepositorySubject, "right">,
  comment: { readonly posterId: number | null; readonly issue: Pick<IssueRightsInput, "isPull"> },
): boolean => isUser(actor) && ((comment.posterId !== null && isSelf(actor, comment.posterId)) || canWriteIssue(repository, comment.issue));

/** Only users who can write issues can comment on a locked issue. */
export const canCommentOn = (repository: Pick<RepositorySubject, "right">, issue: Pick<IssueRightsInput, "isPull" | "isLocked">): boolean =>
  !issue.isLocked || canWriteIssue(repository, issue);
