import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, notFound } from "../../../../../core/errors.ts";
import type { Db, Tx } from "../../../../../db/db.ts";
import { requireUnblocked } from "../../../../accounts/users/service/blocks.ts";
import { replaceText, requireWritten } from "../../conversation/service/comments.ts";
import type { IssueRow } from "../../model.ts";
import { canReadIssue } from "../../rights.ts";
import { changeIssue } from "../../service/change.ts";
import { insertPlanned, noPlan } from "../../service/create.ts";
import { applyEdit, requireEditable, unchanged } from "../../service/edit.ts";
import { requireIssue } from "../../service/find.ts";
import { checkContent, checkTitle } from "../../service/texts.ts";
import { findTask, issueOfTask, withReference } from "../task-item.ts";

/** A task item of an issue's or pull request's text, or of one of its comments. */
export interface TaskAddress {
  /** Number of the issue or pull request. */
  readonly number: string;
  /** Undefined for the text of the issue itself. */
  readonly commentId: string | undefined;
  /** Position of its bracket in the text, in bytes. */
  readonly position: number;
  /** Content version of the text that the caller has seen. */
  readonly contentVersion: number;
}

interface TaskText {
  readonly content: string;
  readonly contentVersion: number;
  /** Saves the changed text. */
  save(content: string): Promise<void>;
}

/**
 * Creates an issue whose title is the text of a task item, and replaces that text by a reference to it, in one transaction.
 * @returns the new issue
 * @throws ForgeError `not_found` for an unknown text, and if the repository has no issues; `forbidden` for callers who cannot edit the text;
 * `conflict` if the text has changed
 */
export async function createFromTask(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, address: TaskAddress): Promise<IssueRow> {
  if (!canReadIssue(repository, { isPull: false })) throw notFound();
  return deps.db.tx(async (tx) => {
    const text = await requireText(tx, actor, repository, address);
    const item = findTask(text.content, address.position);
    if (text.contentVersion !== address.contentVersion || item === undefined) throw conflict("the text is already changed", { reason: "changed_meanwhile" });
    await requireUnblocked({ db: tx }, actor, repository.ownerId);
    const { title, content } = issueOfTask(item);
    checkTitle(title);
    checkContent(content);
    const created = await insertPlanned(tx, actor, repository, { title, content, ref: "", isClosed: false, plan: noPlan, isPull: false });
    await text.save(withReference(text.content, item, created.number));
    return created;
  });
}

async function requireText(tx: Tx, actor: UserActor, repository: RepositorySubject, { number, commentId }: TaskAddress): Promise<TaskText> {
  if (commentId === undefined) {
    const before = await requireEditable(tx, actor, repository, number);
    const save = async (content: string): Promise<void> => {
      const change = changeIssue(tx, actor.id, before);
      await applyEdit(change, actor, repository, { ...unchanged, content });
      await change.finish();
    };
    return { ...before, save };
  }
  const issue = await requireIssue({ db: tx }, repository, number);
  const comment = await requireWritten(tx, actor, repository, commentId, ["comment"]);
  if (comment === undefined || comment.issue.id !== issue.id) throw notFound();
  return {
    ...comment,
    save: async (content) => {
      checkContent(content);
      await replaceText(tx, actor, repository, comment, content);
    },
  };
}
