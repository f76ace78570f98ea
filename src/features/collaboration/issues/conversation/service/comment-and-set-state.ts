import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Db, Tx } from "../../../../../db/db.ts";
import type { CloseReason } from "../../close-reason.ts";
import { changeIssue } from "../../service/change.ts";
import { requireEditable } from "../../service/edit.ts";
import { requireIssue } from "../../service/find.ts";
import { setState } from "../../service/set-state.ts";
import { checkContent } from "../../service/texts.ts";
import { insertWritten } from "./comments.ts";
import { requireCanComment } from "./entries.ts";

export interface Answer {
  /** Empty: no comment. */
  readonly content: string;
  /** Undefined: the state stays unchanged. */
  readonly isClosed: boolean | undefined;
  /** Why it is closed. */
  readonly reason?: CloseReason | undefined;
}

/**
 * Comments on an issue and closes or reopens it, in one transaction.
 * @returns the id of the comment, if any
 * @throws ForgeError as `createComment` and `editIssue`
 */
export async function answerIssue(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  answer: Answer,
): Promise<number | undefined> {
  return deps.db.tx((tx) => answerWithin(tx, actor, repository, number, answer));
}

/** {@link answerIssue} within the caller's transaction. */
export async function answerWithin(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  { content, isClosed, reason }: Answer,
): Promise<number | undefined> {
  checkContent(content);
  let commentId: number | undefined;
  if (content !== "") {
    const issue = await requireIssue({ db: tx }, repository, number);
    await requireCanComment(tx, actor, repository, issue);
    commentId = (await insertWritten(tx, actor, repository, issue, content)).id;
  }
  if (isClosed !== undefined) {
    const change = changeIssue(tx, actor.id, await requireEditable(tx, actor, repository, number));
    await setState(change, isClosed, { reason });
    await change.finish();
  }
  return commentId;
}
