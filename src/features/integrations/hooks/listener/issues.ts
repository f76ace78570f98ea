import type { EventType } from "../../../../events/events.ts";
import type { IssueChanges } from "../../../../events/issue-events.ts";
import type { Comment } from "../../../../wire/comment.ts";
import type { CommentRow } from "../../../collaboration/issues/model.ts";
import { createIssuePresenter } from "../../../collaboration/issues/present.ts";
import { loadCommentsInOrder, loadCommentViews, onlyLocation } from "../../../collaboration/issues/service/loaders.ts";
import { placeOf, presentIssue } from "./issue-views.ts";
import { type ComposeDeps, type HookPayload, loadPayloadContext, type PayloadContext } from "./payload-context.ts";
import { composePull, presentPull } from "./pulls.ts";

type IssueMessage = HookPayload<
  | "issue.created"
  | "issue.edited"
  | "issue.closed"
  | "issue.reopened"
  | "issue.deleted"
  | "issue.assigned"
  | "issue.unassigned"
  | "issue.labels_changed"
  | "issue.milestone_changed"
>;

const actions: Readonly<Partial<Record<EventType, string>>> = {
  "issue.created": "opened",
  "issue.edited": "edited",
  "issue.closed": "closed",
  "issue.reopened": "reopened",
  "issue.deleted": "deleted",
  "issue.assigned": "assigned",
  "issue.unassigned": "unassigned",
};

function actionOf({ type, facts }: IssueMessage): string {
  if ("isCleared" in facts) return facts.isCleared ? "label_cleared" : "label_updated";
  if ("milestoneId" in facts) return facts.milestoneId === null ? "demilestoned" : "milestoned";
  return actions[type as EventType] ?? "";
}

/** @compat unchanged fields are null or absent (payloads.test.ts) */
export function presentChanges({ formerTitle, formerContent, formerRef }: IssueChanges): object {
  return {
    ...(formerTitle !== undefined && { title: { from: formerTitle } }),
    ...(formerContent !== undefined && { body: { from: formerContent } }),
    ...(formerRef !== undefined && { ref: { from: formerRef } }),
    added_labels: null,
    removed_labels: null,
  };
}

export async function composeIssue(deps: ComposeDeps, message: IssueMessage): Promise<object | undefined> {
  const { facts, type } = message;
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const action = actionOf(message);
  const changes = type === "issue.edited" ? { changes: presentChanges(facts as IssueChanges) } : {};
  if (facts.isPull) return composePull(deps, context, message, action, changes);
  const issue = await presentIssue(deps, context, message);
  const { repository, sender } = context;
  return { action, number: facts.number, ...changes, issue, repository, sender, commit_id: "commitOid" in facts ? facts.commitOid : "" };
}

export async function composeRetarget(deps: ComposeDeps, message: HookPayload<"pull.retargeted">): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  return context && composePull(deps, context, message, "edited", { changes: presentChanges({ formerRef: message.facts.formerBaseBranch }) });
}

type CommentMessage = HookPayload<"comment.created" | "comment.edited" | "comment.deleted">;

export async function composeComment(deps: ComposeDeps, message: CommentMessage): Promise<object | undefined> {
  const { facts, type } = message;
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const { repository, sender } = context;
  return {
    action: type.slice("comment.".length),
    issue: await presentIssue(deps, context, message),
    ...(facts.isPull && { pull_request: (await presentPull(deps, context, facts.number)) ?? null }),
    comment: await presentComment(deps, context, message),
    ...("formerContent" in facts && { changes: presentChanges({ formerContent: facts.formerContent }) }),
    repository,
    sender,
    is_pull: facts.isPull,
  };
}

/** The current comment, or the recorded data of one deleted since. */
async function presentComment(deps: ComposeDeps, context: PayloadContext, { facts, actorId, createdMs }: CommentMessage): Promise<Comment> {
  const place = onlyLocation(placeOf(context));
  const [present] = await loadCommentsInOrder(deps, [facts.commentId], place);
  const [view] = present === undefined ? await loadCommentViews(deps, [formerComment(facts, actorId, createdMs)], place) : [present];
  if (view === undefined) throw new Error("a located comment has a view");
  return createIssuePresenter(context.viewer, deps.urls).comment(view);
}

function formerComment(facts: CommentMessage["facts"], actorId: number | null, createdMs: number): CommentRow {
  const former = "content" in facts ? facts : { posterId: actorId, content: "", originalAuthor: "", originalAuthorId: 0, createdMs, updatedMs: createdMs };
  return {
    id: facts.commentId,
    repoId: facts.repoId,
    issue: { id: facts.issueId, number: facts.number, isPull: facts.isPull },
    kind: "comment",
    contentVersion: 0,
    posterId: former.posterId,
    content: former.content,
    payload: {},
    refIssueId: null,
    refCommentId: null,
    originalAuthor: former.originalAuthor,
    originalAuthorId: former.originalAuthorId,
    createdMs: former.createdMs,
    updatedMs: former.updatedMs,
  };
}
