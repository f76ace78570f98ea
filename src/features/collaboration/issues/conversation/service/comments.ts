import type { Actor, UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, forbidden, malformed, notFound } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../../db/db.ts";
import type { CommentKind } from "../../../../../db/tables/issues.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { replyText } from "../../../saved-replies/service.ts";
import type { CommentedIssue, CommentRow, CommentView, IssueRow } from "../../model.ts";
import { noteReferences } from "../../references/service/references.ts";
import { canReadIssue, canWriteIssue, editsComment, hasReadableIssues } from "../../rights.ts";
import { insertSearchText, replaceSearchText } from "../../search/store/search.ts";
import { recordIssueEvent } from "../../service/change.ts";
import { requireComment, requireIssue } from "../../service/find.ts";
import { loadCommentViews, locationOf, onlyLocation } from "../../service/loaders.ts";
import { checkContent } from "../../service/texts.ts";
import { touchCommented, touchIssue } from "../../store/rows.ts";
import type { HideReason } from "../hide-reason.ts";
import {
  deleteComment,
  findCommentRow,
  insertComment,
  listIssueComments,
  pageRepositoryComments,
  type UpdatedRange,
  updateCommentContent,
  updateCommentPayload,
} from "../store/comments.ts";
import { requireCanComment, requireUnlocked } from "./entries.ts";
import { saveTexts } from "./history.ts";

interface ReadDeps {
  readonly db: Reader;
}

/** Comments on an issue, oldest first. @throws ForgeError `not_found` */
export async function listComments(deps: ReadDeps, repository: RepositorySubject, number: string, range: UpdatedRange): Promise<readonly CommentView[]> {
  const issue = await requireIssue(deps, repository, number);
  return loadCommentViews(deps, await listIssueComments(deps.db, issue, range), onlyLocation(repository));
}

/**
 * A page of a repository's comments, on issues or pull requests if the caller reads only one of them. @throws ForgeError `not_found` if
 * neither
 */
export async function listRepositoryComments(deps: ReadDeps, repository: RepositorySubject, range: UpdatedRange, page: Page): Promise<Paged<CommentView>> {
  const issues = canReadIssue(repository, { isPull: false });
  const pulls = canReadIssue(repository, { isPull: true });
  if (!hasReadableIssues(repository)) throw notFound();
  const { items, total } = await pageRepositoryComments(deps.db, repository.id, { ...range, isPull: issues && pulls ? undefined : pulls }, page);
  return { items: await loadCommentViews(deps, items, onlyLocation(repository)), total };
}

/** @returns undefined for a timeline event @throws ForgeError `not_found` */
export async function getComment(deps: ReadDeps, repository: RepositorySubject, id: string): Promise<CommentView | undefined> {
  const row = await requireComment(deps, repository, id);
  if (row.kind !== "comment") return undefined;
  return (await loadCommentViews(deps, [row], onlyLocation(repository)))[0];
}

/**
 * Comments on an issue.
 * @throws ForgeError `not_found`, `invalid`; `forbidden` on a locked issue, and for users blocked by the owner or the issue's author
 */
export async function createComment(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  content: string,
): Promise<CommentView> {
  checkContent(content);
  // Before the transaction, which others can wait for. Its first statement reads again what may have changed.
  const seen = await requireIssue(deps, repository, number);
  return deps.db.tx(async (tx) => {
    const [touched, posters] = await Promise.all([touchCommented(tx, seen), loadUsers({ db: tx }, [actor.id]), requireCanComment(tx, actor, repository, seen)]);
    if (touched === undefined) throw notFound();
    const issue = { ...seen, ...touched };
    requireUnlocked(repository, issue);
    const row = await insertText(tx, actor, repository, issue, content);
    // Files can only be attached to an existing comment.
    return { ...row, place: locationOf(repository), poster: posters.get(actor.id), attachments: [] };
  });
}

/** Inserts a comment and its side effects in the caller's transaction, for an authorized user. */
export async function insertWritten(tx: Tx, actor: UserActor, repository: RepositorySubject, issue: IssueRow, content: string): Promise<CommentRow> {
  const [, row] = await Promise.all([touchIssue(tx, issue.id, 1), insertText(tx, actor, repository, issue, content)]);
  return row;
}

/** As {@link insertWritten}, for an issue that counts the comment already. Statements that do not need each other's results are sent together. */
async function insertText(tx: Tx, actor: UserActor, repository: RepositorySubject, issue: IssueRow, content: string): Promise<CommentRow> {
  const entry = { issueId: issue.id, repoId: issue.repoId, kind: "comment", posterId: actor.id, content } as const;
  const id = await insertComment(tx, entry);
  const announce = async (): Promise<void> => {
    const mentionedIds = await noteReferences(tx, actor, repository, { issue, commentId: id, text: content });
    await recordIssueEvent(tx, actor.id, issue, "comment.created", { commentId: id, mentionedIds });
  };
  await Promise.all([insertSearchText(tx, "comment_texts", id, content), announce()]);
  return {
    ...entry,
    id,
    issue,
    contentVersion: 0,
    payload: {},
    refIssueId: null,
    refCommentId: null,
    originalAuthor: "",
    originalAuthorId: 0,
    createdMs: tx.nowMs,
    updatedMs: tx.nowMs,
  };
}

/**
 * Edits a comment and keeps its former versions.
 * @param seenVersion content version that the caller has seen; if omitted, any
 * @returns undefined for a timeline event, which stays unchanged
 * @throws ForgeError `not_found`, `invalid`, `conflict` if the content has changed; `forbidden`, without a body, for callers who are not
 * the author and cannot write issues
 */
export async function editComment(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  id: string,
  content: string,
  seenVersion?: number,
): Promise<CommentView | undefined> {
  checkContent(content);
  return deps.db.tx(async (tx) => {
    const before = await requireWritten(tx, actor, repository, id, ["comment", "code"]);
    if (before === undefined) return undefined;
    if (seenVersion !== undefined && seenVersion !== before.contentVersion) throw conflict("the comment is already changed", { reason: "changed_meanwhile" });
    if (content !== before.content) await replaceText(tx, actor, repository, before, content);
    const after = await findCommentRow(tx, repository.id, before.id);
    return after && (await loadCommentViews({ db: tx }, [after], onlyLocation(repository)))[0];
  });
}

/** Saves the changed text of a comment, with its history, references and event. The caller authorizes. */
export async function replaceText(tx: Tx, actor: UserActor, repository: RepositorySubject, before: CommentRow, content: string): Promise<void> {
  const issue = await requireIssue({ db: tx }, repository, before.issue.number);
  await saveTexts(tx, { ...before, issueId: issue.id, commentId: before.id }, { content, editorId: actor.id });
  await updateCommentContent(tx, before.id, content);
  await replaceSearchText(tx, "comment_texts", before.id, content);
  await touchIssue(tx, issue.id);
  const written = { issue, commentId: before.id, text: content, formerText: before.content };
  const mentionedIds = await noteReferences(tx, actor, repository, written);
  await recordIssueEvent(tx, actor.id, issue, "comment.edited", { commentId: before.id, formerContent: before.content, mentionedIds });
}

/**
 * Deletes a comment with its attachments and reactions.
 * @throws ForgeError `not_found`; `malformed` for a timeline entry that is not a comment; `forbidden` as {@link editComment}
 */
export async function removeComment(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, id: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const comment = await requireWritten(tx, actor, repository, id, ["comment"]);
    if (comment === undefined) throw malformed("only a comment can be deleted");
    const issue = await requireIssue({ db: tx }, repository, comment.issue.number);
    await deleteWritten(tx, actor, issue, comment);
  });
}

/**
 * Hides a comment on pages, or shows it again. The API returns it unchanged.
 * @param reason undefined to show it
 * @throws ForgeError `not_found`; `forbidden` for callers who cannot write issues
 */
export async function hideComment(
  deps: { readonly db: Db },
  repository: RepositorySubject,
  id: string,
  reason: HideReason | undefined,
): Promise<{ readonly issue: CommentedIssue }> {
  return deps.db.tx(async (tx) => {
    const row = await requireComment({ db: tx }, repository, id);
    if (!canWriteIssue(repository, row.issue)) throw forbidden("Only users with write access to issues can hide comments.");
    if (row.kind !== "comment") throw notFound();
    const { hiddenAs: _former, ...payload } = row.payload;
    await updateCommentPayload(tx, row.id, { ...payload, ...(reason !== undefined && { hiddenAs: reason }) });
    return { issue: row.issue };
  });
}

/**
 * The text of an issue or of one of its comments as a quote in Markdown.
 * @param of id of the comment, or `issue`
 * @returns undefined for anything else, such as a deleted comment
 */
async function quoteText(deps: ReadDeps, repository: RepositorySubject, issue: IssueRow, of: string): Promise<string | undefined> {
  const comment = of === "issue" ? undefined : await findCommentRow(deps.db, repository.id, readId(of));
  const content = of === "issue" ? issue.content : comment?.issue.id === issue.id && comment.kind === "comment" ? comment.content : undefined;
  return content === undefined ? undefined : `${content.trim().replace(/^/gm, "> ")}\n\n`;
}

/** The beginning of a comment: a quote, or the text typed before with a saved reply below it. */
export interface CommentBeginning {
  /** Id of a comment, or `issue`. */
  readonly quote?: string | undefined;
  /** Id of a saved reply. */
  readonly reply?: string | undefined;
  readonly typed?: string | undefined;
}

export async function beginComment(
  deps: ReadDeps,
  actor: Actor,
  repository: RepositorySubject,
  issue: IssueRow,
  { quote, reply, typed = "" }: CommentBeginning,
): Promise<string | undefined> {
  if (reply !== undefined) return [typed.trimEnd(), (await replyText(deps, actor, reply)) ?? ""].filter((text) => text !== "").join("\n\n");
  return quote === undefined ? undefined : quoteText(deps, repository, issue, quote);
}

type Written = Pick<CommentRow, "id" | "content" | "posterId" | "originalAuthor" | "originalAuthorId" | "createdMs" | "updatedMs">;

/** Deletes a comment. The caller authorizes. */
export async function deleteWritten(tx: Tx, actor: UserActor, issue: IssueRow, written: Written): Promise<void> {
  const { id, content, posterId, originalAuthor, originalAuthorId, createdMs, updatedMs } = written;
  await deleteComment(tx, id);
  await touchIssue(tx, issue.id, -1);
  const former = { content, posterId, originalAuthor, originalAuthorId, createdMs, updatedMs };
  await recordIssueEvent(tx, actor.id, issue, "comment.deleted", { commentId: id, ...former });
}

/** A comment that the caller may change; undefined for an entry of another kind. */
export async function requireWritten(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  id: string,
  kinds: readonly CommentKind[],
): Promise<CommentRow | undefined> {
  const row = await requireComment({ db: tx }, repository, id);
  if (!editsComment(actor, repository, row)) throw forbidden("only the author and users with write access to issues may change a comment");
  return kinds.includes(row.kind) ? row : undefined;
}
