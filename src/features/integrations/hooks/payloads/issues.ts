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

function actionOf({ type, eventPayload }: IssueMessage): string {
  if ("isCleared" in eventPayload) return eventPayload.isCleared ? "label_cleared" : "label_updated";
  if ("milestoneId" in eventPayload) return eventPayload.milestoneId === null ? "demilestoned" : "milestoned";
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
  const { eventPayload, type } = message;
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const action = actionOf(message);
  const changes = type === "issue.edited" ? { changes: presentChanges(eventPayload as IssueChanges) } : {};
  if (eventPayload.isPull) return composePull(deps, context, message, action, changes);
  const issue = await presentIssue(deps, context, message);
  const { repository, sender } = context;
  return { action, number: eventPayload.number, ...changes, issue, repository, sender, commit_id: "commitOid" in eventPayload ? eventPayload.commitOid : "" };
}

export async function composeRetarget(deps: ComposeDeps, message: HookPayload<"pull.retargeted">): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  return context && composePull(deps, context, message, "edited", { changes: presentChanges({ formerRef: message.eventPayload.formerBaseBranch }) });
}

type CommentMessage = HookPayload<"comment.created" | "comment.edited" | "comment.deleted">;

export async function composeComment(deps: ComposeDeps, message: CommentMessage): Promise<object | undefined> {
  const { eventPayload, type } = message;
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  const { repository, sender } = context;
  return {
    action: type.slice("comment.".length),
    issue: await presentIssue(deps, context, message),
    ...(eventPayload.isPull && { pull_request: (await presentPull(deps, context, eventPayload.number)) ?? null }),
    comment: await presentComment(deps, context, message),
    ...("formerContent" in eventPayload && { changes: presentChanges({ formerContent: eventPayload.formerContent }) }),
    repository,
    sender,
    is_pull: eventPayload.isPull,
  };
}

/** The current comment, or the recorded data of one deleted since. */
async function presentComment(deps: ComposeDeps, context: PayloadContext, { eventPayload, actorId, createdMs }: CommentMessage): Promise<Comment> {
  const place = onlyLocation(placeOf(context));
  const [present] = await loadCommentsInOrder(deps, [eventPayload.commentId], place);
  const [view] = present === undefined ? await loadCommentViews(deps, [formerComment(eventPayload, actorId, createdMs)], place) : [present];
  if (view === undefined) throw new Error("a located comment has a view");
  return createIssuePresenter(context.viewer, deps.urls).comment(view);
}

function formerComment(eventPayload: CommentMessage["eventPayload"], actorId: number | null, createdMs: number): CommentRow {
  const former =
    "content" in eventPayload ? eventPayload : { posterId: actorId, content: "", originalAuthor: "", originalAuthorId: 0, createdMs, updatedMs: createdMs };
  return {
    id: eventPayload.commentId,
    repoId: eventPayload.repoId,
    issue: { id: eventPayload.issueId, number: eventPayload.number, isPull: eventPayload.isPull },
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
