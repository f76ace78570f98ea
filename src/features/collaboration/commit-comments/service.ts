import { type Actor, isSelf, isUser, type UserActor } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { conflict, forbidden, invalid, notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { checkLength, lengths } from "../../../core/lengths.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import { recordEvent } from "../../../events/events.ts";
import type { Commit, Oid } from "../../../git/types.ts";
import { loadUsers } from "../../accounts/users/service/accounts.ts";
import { requireUnblocked } from "../../accounts/users/service/blocks.ts";
import { findPeople } from "../../accounts/users/service/people.ts";
import { getCommit } from "../../repositories/commits/service/commit.ts";
import type { CommitDeps } from "../../repositories/commits/service/loaders.ts";
import { rightsOfUsers } from "../../repositories/repos/service/user-rights.ts";
import { mentionedUsers } from "../issues/references/service/references.ts";
import { readReferences } from "../issues/references/text-references.ts";
import { canReadCode } from "../issues/rights.ts";
import type { CommitComment, CommitCommentView } from "./model.ts";
import {
  deleteComment,
  findComment,
  type ImportedCommitCommentRow,
  insertComment,
  insertImportedComments,
  listPosterIds,
  pageComments,
  positionOf,
  updateComment,
} from "./store.ts";

/** Whether a caller can comment on commits; blocks aside. */
export const canComment = (actor: Actor, { right, isArchived }: RepositorySubject): actor is UserActor =>
  isUser(actor) && !isArchived && canReadCode({ right });

/** Comments are changed by their authors, and by users who can write the code. */
export const changesComment = (actor: Actor, repository: RepositorySubject, { posterId }: Pick<CommitComment, "posterId">): boolean =>
  isUser(actor) && !repository.isArchived && ((posterId !== null && isSelf(actor, posterId)) || atLeast(repository.right.unit("repo.code"), "write"));

/** A page of the comments on a commit, for readers of the code. One statement, and one for their authors. */
export async function listComments(deps: { readonly db: Reader }, repository: RepositorySubject, oid: Oid, page: Page): Promise<Paged<CommitCommentView>> {
  const { items, total } = await pageComments(deps.db, repository.id, oid, page);
  if (items.length === 0) return { items: [], total };
  const users = await loadUsers(
    deps,
    items.flatMap(({ posterId }) => posterId ?? []),
  );
  return { items: items.map((comment) => ({ ...comment, poster: comment.posterId === null ? undefined : users.get(comment.posterId) })), total };
}

/** @throws ForgeError `not_found`; `forbidden` for a comment that the caller cannot change */
export async function getOwnComment(deps: { readonly db: Reader }, actor: UserActor, repository: RepositorySubject, id: string): Promise<CommitComment> {
  const comment = await findComment(deps.db, repository.id, readId(id));
  if (comment === undefined || !canReadCode(repository)) throw notFound();
  if (!changesComment(actor, repository, comment)) throw forbidden("only the author and users with write access can change a comment");
  return comment;
}

/** The number of the page with a comment. */
export const pageOfComment = async (
  deps: { readonly db: Reader },
  { id: repoId }: RepositorySubject,
  comment: Pick<CommitComment, "id" | "commitOid">,
  limit: number,
): Promise<number> => Math.ceil((await positionOf(deps.db, repoId, comment)) / limit);

/**
 * Comments on a commit. Its author, users who have commented on it, and mentioned users are notified if they can read the code.
 * @throws ForgeError `not_found` for an unknown commit, `invalid` for an empty or too long text, `forbidden` for a blocked user
 */
export async function createComment(
  deps: CommitDeps & { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  rev: string,
  content: string,
): Promise<CommitComment> {
  if (!canReadCode(repository)) throw notFound();
  checkText(content);
  const { commit } = await getCommit(deps, { actor, repository, detail: { stats: false, files: false, verification: false } }, rev);
  const author = (await findPeople(deps, [commit.author.email])).byEmail(commit.author.email);
  return deps.db.tx(async (tx) => {
    await requireUnblocked({ db: tx }, actor, repository.ownerId);
    const comment = { commitOid: commit.oid, posterId: actor.id, originalAuthor: "", content };
    const id = await insertComment(tx, repository.id, comment);
    const named = await audienceOf(tx, actor, repository, { commit, content, authorId: author?.id });
    await recordEvent(
      tx,
      "commit.commented",
      { repoId: repository.id, oid: commit.oid, commentId: id, ...named },
      { repoId: repository.id, actorId: actor.id },
    );
    return { ...comment, id, contentVersion: 0, createdMs: tx.nowMs };
  });
}

/** @throws ForgeError as {@link getOwnComment}; `invalid`; `conflict` if another user has changed it meanwhile */
export async function editComment(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  id: string,
  { content, seenVersion }: { readonly content: string; readonly seenVersion: number },
): Promise<CommitComment> {
  checkText(content);
  return deps.db.tx(async (tx) => {
    const comment = await getOwnComment({ db: tx }, actor, repository, id);
    if (content === comment.content) return comment;
    const isSaved = await updateComment(tx, { id: comment.id, contentVersion: seenVersion, content });
    if (!isSaved) throw conflict("the comment is already changed", { reason: "changed_meanwhile" });
    return { ...comment, content };
  });
}

/** @returns the commit @throws ForgeError as {@link getOwnComment} */
export async function removeComment(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, id: string): Promise<Oid> {
  return deps.db.tx(async (tx) => {
    const comment = await getOwnComment({ db: tx }, actor, repository, id);
    await deleteComment(tx, comment.id);
    return comment.commitOid;
  });
}

function checkText(content: string): void {
  if (content.trim() === "") throw invalid("[Content]: Required", { reason: "comment_required" });
  checkLength("Content", content, lengths.comment);
}

const batch = 100;

/** Inserts the comments on commits of an imported repository, in order. No one is notified. One statement for each 100. */
export async function importComments(tx: Tx, repoId: number, comments: readonly ImportedCommitCommentRow[]): Promise<void> {
  for (let at = 0; at < comments.length; at += batch) await insertImportedComments(tx, repoId, comments.slice(at, at + batch));
}

interface Audience {
  readonly authorIds: readonly number[];
  readonly commenterIds: readonly number[];
  readonly mentionedIds: readonly number[];
}

/** The users to notify, without the writer. */
async function audienceOf(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, content, authorId }: { readonly commit: Commit; readonly content: string; readonly authorId: number | undefined },
): Promise<Audience> {
  const mentionedIds = await mentionedUsers(
    tx,
    actor,
    repository,
    "repo.code",
    readReferences(content, { owner: repository.ownerName, name: repository.name }),
  );
  const posterIds = await listPosterIds(tx, repository.id, commit.oid);
  const others = [...new Set([...(authorId === undefined ? [] : [authorId]), ...posterIds])].filter((id) => id !== actor.id);
  const users = others.length === 0 ? new Map() : await loadUsers({ db: tx }, others);
  const rights = await rightsOfUsers({ db: tx }, repository.id, [...users.values()]);
  const readers = others.filter((id) => !mentionedIds.includes(id) && atLeast(rights.get(id)?.unit("repo.code") ?? "none", "read"));
  return {
    mentionedIds,
    authorIds: readers.filter((id) => id === authorId),
    commenterIds: readers.filter((id) => id !== authorId),
  };
}
