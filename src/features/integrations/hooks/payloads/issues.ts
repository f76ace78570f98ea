import type { EventType } from "../../../../events/events.ts";
import type { IssueChanges } from "../../../../events/issue-events.ts";
import type { Comment } from "../../../../wire/comment.ts";
import type { Issue } from "../../../../wire/issue.ts";
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
  | "issue.transferred"
  | "issue.received"
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
  "issue.transferred": "transferred",
  "issue.received": "opened",
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
  const changes = type === "issue.edited" ? { changes: presentChanges(eventPayload as IssueChanges) } : await presentTransfer(deps, message);
  if (eventPayload.isPull) return composePull(deps, context, message, action, changes);
  const before = formerCounts(type, action);
  const issue = withMilestoneCounts(await presentIssue(deps, context, message), before);
  const repository = { ...context.repository, open_issues_count: Math.max(context.repository.open_issues_count + before.repository, 0) };
  const { sender } = context;
  return { action, number: eventPayload.number, ...changes, issue, repository, sender, commit_id: "commitOid" in eventPayload ? eventPayload.commitOid : "" };
}

interface CountDifferences {
  readonly repository: number;
  readonly open: number;
  readonly closed: number;
}

const same: CountDifferences = { repository: 0, open: 0, closed: 0 };
const oneLess: CountDifferences = { repository: -1, open: -1, closed: 0 };

/**
 * The difference to the counts of the repository and of the milestone before the change. Later changes can precede the delivery, so no count falls below 0.
 * @compat (payloads.test.ts)
 */
function formerCounts(type: string, action: string): CountDifferences {
  if (type === "issue.created") return oneLess;
  if (type === "issue.closed") return { repository: 1, open: 1, closed: -1 };
  if (type === "issue.reopened") return { repository: -1, open: -1, closed: 1 };
  return action === "milestoned" ? { ...oneLess, repository: 0 } : same;
}

const withMilestoneCounts = (issue: Issue, { open, closed }: CountDifferences): Issue =>
  issue.milestone === null
    ? issue
    : {
        ...issue,
        milestone: {
          ...issue.milestone,
          open_issues: Math.max(issue.milestone.open_issues + open, 0),
          closed_issues: Math.max(issue.milestone.closed_issues + closed, 0),
        },
      };

/** The other end of a transfer, by its address alone: receivers of one repository need not see the other. */
async function presentTransfer(deps: ComposeDeps, { eventPayload, actorId }: IssueMessage): Promise<object> {
  const end = async (repoId: number, number: number) => {
    const context = await loadPayloadContext(deps, { repoId, actorId });
    if (context === undefined) return undefined;
    const { id, full_name, html_url } = context.repository;
    return { issue: { number, html_url: `${html_url}/issues/${number}` }, repository: { id, full_name, html_url } };
  };
  if ("toRepoId" in eventPayload) {
    const to = await end(eventPayload.toRepoId, eventPayload.toNumber);
    return to === undefined ? {} : { changes: { new_issue: to.issue, new_repository: to.repository } };
  }
  if ("formerRepoId" in eventPayload) {
    const from = await end(eventPayload.formerRepoId, eventPayload.formerNumber);
    return from === undefined ? {} : { changes: { old_issue: from.issue, old_repository: from.repository } };
  }
  return {};
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
