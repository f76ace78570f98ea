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

/** Entries of timelines that other features write, with more to each than an issue knows of. */

/** @throws ForgeError `forbidden` on a locked issue, and for users whom the owner or the issue's author has blocked */
export async function requireCanComment(tx: Tx, actor: UserActor, repository: RepositorySubject, issue: IssueRow): Promise<void> {
  if (!canCommentOn(repository, issue)) throw forbidden("You cannot comment on a locked issue.");
  await requireUnblockedByAll({ db: tx }, actor, [repository.ownerId, ...(issue.posterId === null ? [] : [issue.posterId])]);
}

/** With one statement. @returns the entries' ids, in their order */
export const addEntries = (tx: Tx, entries: readonly NewEntry[]): Promise<readonly number[]> => insertComments(tx, entries);

/** The issue counts as updated now, with so many comments more. */
export const noteActivity = (tx: Tx, issueId: number, comments = 0): Promise<void> => touchIssue(tx, issueId, comments);

/**
 * What follows from a text that others see from now on: it is found, and it refers to what it names.
 * @returns whom it mentions who was not mentioned under the issue before
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

/** Of an entry that nobody else has seen yet. */
export const rewriteDraft = (tx: Tx, id: number, content: string): Promise<void> => updateCommentContent(tx, id, content);
export const publishEntries = (tx: Tx, ids: readonly number[]): Promise<void> => publishDrafts(tx, ids);
export const removeEntries = (tx: Tx, ids: readonly number[]): Promise<void> => deleteComments(tx, ids);
