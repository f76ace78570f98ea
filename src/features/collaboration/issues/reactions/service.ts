import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { getUser, loadUsers } from "../../../accounts/users/service/accounts.ts";
import { requireUnblockedByAll } from "../../../accounts/users/service/blocks.ts";
import type { IssueRow, ReactionCount, ReactionView } from "../model.ts";
import { canCommentOn } from "../rights.ts";
import { requireComment, requireIssue } from "../service/find.ts";
import { allowedReactions } from "./allowed-reactions.ts";
import { countReactions, deleteReaction, insertReaction, pageReactions, type ReactionTarget } from "./store.ts";

/** Target of a reaction in a path: an issue by its number, or a comment by its id. */
export type ReactionSubject = { readonly number: string } | { readonly commentId: string };

interface Found {
  readonly target: ReactionTarget;
  readonly issue: Pick<IssueRow, "isPull" | "isLocked" | "posterId">;
  readonly authorId: number | null;
  /** Whether it is a timeline entry other than a comment. */
  readonly isEvent: boolean;
}

async function find(deps: { readonly db: Reader }, repository: RepositorySubject, subject: ReactionSubject): Promise<Found> {
  if ("number" in subject) {
    const issue = await requireIssue(deps, repository, subject.number);
    return { target: { issueId: issue.id, commentId: null }, issue, authorId: issue.posterId, isEvent: false };
  }
  const comment = await requireComment(deps, repository, subject.commentId);
  const issue = await requireIssue(deps, repository, comment.issue.number);
  return { target: { issueId: issue.id, commentId: comment.id }, issue, authorId: comment.posterId, isEvent: comment.kind !== "comment" };
}

/** Events of the timeline have no reactions, and get none. */
async function findForChange(deps: { readonly db: Reader }, repository: RepositorySubject, subject: ReactionSubject): Promise<Found> {
  const found = await find(deps, repository, subject);
  if (found.isEvent) throw notFound();
  return found;
}

/** Reactions, oldest first; a page of them, or all. @throws ForgeError `not_found` */
export async function listReactions(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  subject: ReactionSubject,
  page?: Page,
): Promise<Paged<ReactionView>> {
  const { target } = await find(deps, repository, subject);
  const { items, total } = await pageReactions(deps.db, target, page);
  const users = await loadUsers(
    deps,
    items.flatMap(({ accountId }) => accountId ?? []),
  );
  return { total, items: items.map(({ accountId, content, createdMs }) => ({ user: users.get(accountId ?? 0), content, createdMs })) };
}

/**
 * Reaction counts of an issue and some of its comments, by comment id; the issue's own under `undefined`. One statement.
 * @param issue that the caller can read, with these comments
 */
export async function countedReactions(
  deps: { readonly db: Reader },
  actor: Actor,
  issue: { readonly id: number },
  commentIds: readonly number[],
): Promise<ReadonlyMap<number | undefined, readonly ReactionCount[]>> {
  const rows = await countReactions(deps.db, issue.id, commentIds, isUser(actor) ? actor.id : 0);
  return Map.groupBy(rows, ({ commentId }) => commentId ?? undefined);
}

/**
 * Adds a reaction; does nothing if it exists.
 * @throws ForgeError `not_found`; `forbidden` for a content that is not allowed, on a locked issue, and for users blocked by the owner or
 * the author
 */
export async function addReaction(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  subject: ReactionSubject,
  content: string,
): Promise<{ readonly reaction: ReactionView; readonly isNew: boolean }> {
  const made = await deps.db.tx(async (tx) => {
    const { target, issue, authorId } = await findForChange({ db: tx }, repository, subject);
    if (!canCommentOn(repository, issue)) throw forbidden("no permission to change reaction");
    if (!allowedReactions.some((allowed) => allowed === content)) throw forbidden(`'${content}' is not an allowed reaction`);
    await requireUnblockedByAll({ db: tx }, actor, [repository.ownerId, ...(authorId === null ? [] : [authorId])]);
    return insertReaction(tx, target, actor.id, content);
  });
  return { reaction: { user: await getUser(deps, actor.id), content, createdMs: made.createdMs }, isNew: made.isNew };
}

/** Removes a reaction; does nothing if it does not exist. @throws ForgeError `not_found`; `forbidden` on a locked issue */
export async function removeReaction(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  subject: ReactionSubject,
  content: string,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const { target, issue } = await findForChange({ db: tx }, repository, subject);
    if (!canCommentOn(repository, issue)) throw forbidden("no permission to change reaction");
    await deleteReaction(tx, target, actor.id, content);
  });
}
