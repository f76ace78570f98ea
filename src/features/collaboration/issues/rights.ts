import { type Actor, isSelf, isUser } from "../../../access/actor.ts";
import { atLeast, type Unit, writesAny } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";

/** What an issue is judged by. */
export interface JudgedIssue {
  readonly isPull: boolean;
  readonly isLocked: boolean;
  readonly posterId: number | null;
}

export const unitOf = ({ isPull }: Pick<JudgedIssue, "isPull">): Unit => (isPull ? "repo.pulls" : "repo.issues");

export const readsIssue = ({ right }: Pick<RepositorySubject, "right">, issue: Pick<JudgedIssue, "isPull">): boolean =>
  atLeast(right.unit(unitOf(issue)), "read");

export const writesIssue = ({ right }: Pick<RepositorySubject, "right">, issue: Pick<JudgedIssue, "isPull">): boolean => writesAny(right, [unitOf(issue)]);

/** The poster changes what he wrote: title, text, ref and state. All else is for those who write issues. */
export const editsIssue = (actor: Actor, repository: Pick<RepositorySubject, "right">, issue: JudgedIssue): boolean =>
  isUser(actor) && ((issue.posterId !== null && isSelf(actor, issue.posterId)) || writesIssue(repository, issue));

/** A comment is changed by who wrote it, and by those who write issues. */
export const editsComment = (
  actor: Actor,
  repository: Pick<RepositorySubject, "right">,
  comment: { readonly posterId: number | null; readonly issue: Pick<JudgedIssue, "isPull"> },
): boolean => isUser(actor) && ((comment.posterId !== null && isSelf(actor, comment.posterId)) || writesIssue(repository, comment.issue));

/** A locked issue is for those who write issues. */
export const speaksOn = (repository: Pick<RepositorySubject, "right">, issue: Pick<JudgedIssue, "isPull" | "isLocked">): boolean =>
  !issue.isLocked || writesIssue(repository, issue);
