import { type Actor, isSelf, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { type ForgeError, forbidden, isForgeError, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Reader } from "../../../../db/db.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import { requireRelease } from "../../../repositories/releases/service/find.ts";
import type { CommentRow } from "../../issues/model.ts";
import { canCommentOn, canEditIssue, canWriteIssue } from "../../issues/rights.ts";
import { requireComment, requireIssue } from "../../issues/service/find.ts";
import type { Holder, ReleaseHolder } from "../model.ts";

interface ReadDeps {
  readonly db: Reader;
}

/** The issue as a parent, for readers. @throws ForgeError `not_found` */
export async function readIssueHolder(deps: ReadDeps, repository: RepositorySubject, number: string): Promise<Holder> {
  const issue = await requireIssue(deps, repository, number);
  return { repoId: repository.id, issueId: issue.id, commentId: null, releaseId: null };
}

/** @throws ForgeError `not_found`, `forbidden` if the caller cannot edit the issue or the repository's owner has blocked them */
export async function writeIssueHolder(deps: ReadDeps, actor: UserActor, repository: RepositorySubject, number: string): Promise<Holder> {
  const issue = await requireIssue(deps, repository, number);
  if (!canEditIssue(actor, repository, issue) || !canCommentOn(repository, issue)) throw forbidden("user should have permission to write issue");
  await requireUnblocked(deps, actor, repository.ownerId);
  return { repoId: repository.id, issueId: issue.id, commentId: null, releaseId: null };
}

/** A timeline entry of any kind as a parent, for readers. Only comments have files. @throws ForgeError `not_found` */
export const readCommentHolder = async (deps: ReadDeps, repository: RepositorySubject, id: string): Promise<Holder> =>
  holderOf(repository, await findEntry(deps, repository, id));

/** @throws ForgeError `not_found`, `forbidden` if the caller cannot edit the comment or the repository's owner has blocked them */
export async function writeCommentHolder(deps: ReadDeps, actor: UserActor, repository: RepositorySubject, id: string): Promise<Holder> {
  const comment = await findEntry(deps, repository, id);
  if (comment.kind !== "comment") throw missing();
  const issue = await requireIssue(deps, repository, comment.issue.number);
  if (!editsComment(actor, repository, comment) || !canCommentOn(repository, issue)) throw forbidden("user should have permission to edit comment");
  await requireUnblocked(deps, actor, repository.ownerId);
  return holderOf(repository, comment);
}

const holderOf = (repository: RepositorySubject, comment: CommentRow): Holder => ({
  repoId: repository.id,
  issueId: comment.issue.id,
  commentId: comment.id,
  releaseId: null,
});

const editsComment = (actor: Actor, repository: RepositorySubject, comment: CommentRow): boolean =>
  (comment.posterId !== null && isSelf(actor, comment.posterId)) || canWriteIssue(repository, comment.issue);

/** @compat the message for a missing or hidden comment is `null` (wire facts 1.5; attachments/api.test.ts) */
const missing = (): ForgeError => notFound("not found", { body: "null" });

async function findEntry(deps: ReadDeps, repository: RepositorySubject, id: string): Promise<CommentRow> {
  try {
    return await requireComment(deps, repository, id);
  } catch (error) {
    throw isForgeError(error, "not_found") ? missing() : error;
  }
}

/** A release that the caller can see. The route authorizes writes. @throws ForgeError `not_found` */
export async function findReleaseHolder(deps: ReadDeps, repository: RepositorySubject, id: string): Promise<ReleaseHolder> {
  const release = await requireRelease(deps, repository, readId(id));
  return { repoId: repository.id, issueId: null, commentId: null, releaseId: release.id, tagName: release.tagName };
}
