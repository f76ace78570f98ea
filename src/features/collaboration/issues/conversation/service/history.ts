import type { Tx } from "../../../../../db/db.ts";
import { insertHistory } from "../store/comments.ts";

export interface EditedText {
  readonly issueId: number;
  readonly commentId: number | null;
  readonly posterId: number | null;
  readonly content: string;
  readonly contentVersion: number;
  readonly createdMs: number;
}

/** Saves the new version of an edited text, and on the first edit also the original. One statement. */
export async function saveTexts(tx: Tx, before: EditedText, now: { readonly content: string; readonly editorId: number | null }): Promise<void> {
  const { issueId, commentId } = before;
  const original = { issueId, commentId, editorId: before.posterId, content: before.content, writtenMs: before.createdMs };
  const edited = { issueId, commentId, ...now, writtenMs: tx.nowMs };
  await insertHistory(tx, before.contentVersion === 0 ? [original, edited] : [edited]);
}
