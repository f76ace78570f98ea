import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { forbidden } from "../../../../../core/errors.ts";
import type { Tx } from "../../../../../db/db.ts";
import { requireUnblockedByAll } from "../../../../accounts/users/service/blocks.ts";
import type { IssueRow } from "../../model.ts";
import { noteReferences } from "../../references/service/references.ts";
import { canCommentOn } from "../../rights.ts";
import { insertSearchText } from "../../search/store/search.ts";
import { touchIssue } from "../../store/rows.ts";
import { deleteComments, insertComments, type NewEntry, publishDrafts, updateCommentContent } from "../store/comments.ts";

/** Timeline entries written by other features, which add their own data. */

/** @throws ForgeError `forbidden` on a locked issue, and for users blocked by the owner or the issue's author */
export async function requireCanComment(tx: Tx, actor: UserActor, repository: RepositorySubject, issue: IssueRow): Promise<void> {
  requireUnlocked(repository, issue);
  await requireUnblockedByAll({ db: tx }, actor, [repository.ownerId, ...(issue.posterId === null ? [] : [issue.posterId])]);
}

/** @throws ForgeError `forbidden` on a locked issue */
export function requireUnlocked(repository: RepositorySubject, issue: IssueRow): void {
  if (!canCommentOn(repository, issue)) throw forbidden("You cannot comment on a locked issue.", { reason: "conversation_locked" });
}

/** One statement. @returns the entries' ids, in their order */
export const addEntries = (tx: Tx, entries: readonly NewEntry[]): Promise<readonly number[]> => insertComments(tx, entries);

/** Sets the update time to now and adds to the comment count. */
export const noteActivity = (tx: Tx, issueId: number, comments = 0): Promise<void> => touchIssue(tx, issueId, comments);

/**
 * Handles a text that becomes visible: indexes it and records its references.
 * @returns users it mentions who were not mentioned under the issue before
 */
export async function publishText(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  { issue, entryId, text }: { readonly issue: IssueRow; readonly entryId: number; readonly text: string },
): Promise<readonly number[]> {
  if (text === "") return [];
  await insertSearchText(tx, "comment_texts", entryId, text);
  return noteReferences(tx, actor, repository, { issue, commentId: entryId, text });
}

/** For an entry that other users cannot see yet. */
export const rewriteDraft = (tx: Tx, id: number, content: string): Promise<void> => updateCommentContent(tx, id, content);
export const publishEntries = (tx: Tx, ids: readonly number[]): Promise<void> => publishDrafts(tx, ids);
export const removeEntries = (tx: Tx, ids: readonly number[]): Promise<void> => deleteComments(tx, ids);
