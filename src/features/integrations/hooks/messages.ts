import type { EventInTransaction, EventType, RefUpdateEvent } from "../../../events/events.ts";
import type { IssueEvent } from "../../../events/issue-events.ts";
import { chosenAs } from "./event-names.ts";

/** A message for receivers, before its payload is composed. */
export interface MessageDraft {
  readonly eventId: number;
  /** An event can have several messages. */
  readonly position: number;
  /** The event as in the API, and its more specific type. */
  readonly event: string;
  readonly eventType: string;
  /** The ref, if the event has several. */
  readonly subject: string;
  /** The repository whose webhooks receive it. */
  readonly repoId: number;
  readonly actorId: number | null;
}

type MessageKind = readonly [event: string, eventType: string, subject?: string];
type MessageKinds = { readonly [Type in EventType]?: (event: EventInTransaction<Type>) => readonly MessageKind[] };

const branches = "refs/heads/";
const tags = "refs/tags/";

/** The event type for issues or pull requests: `issues` or `pull_request`, with a suffix. */
const ofIssue =
  (variant = "") =>
  ({ payload }: { readonly payload: Pick<IssueEvent, "isPull"> }): readonly MessageKind[] => {
    if (payload.isPull) return [["pull_request", `pull_request${variant}`]];
    return [["issues", variant === "" ? "issues" : `issue${variant}`]];
  };

const ofComment = ({ payload }: { readonly payload: Pick<IssueEvent, "isPull"> }): readonly MessageKind[] => [
  ["issue_comment", payload.isPull ? "pull_request_comment" : "issue_comment"],
];

const of =
  (event: string, eventType = event) =>
  (): readonly MessageKind[] => [[event, eventType]];

/** Deleting a branch sends no push. Refs other than branches and tags send nothing. */
function ofRef({ name, oldOid, newOid }: RefUpdateEvent): readonly MessageKind[] {
  if (!name.startsWith(branches) && !name.startsWith(tags)) return [];
  if (newOid === null) return [["delete", "delete", name]];
  return [...(oldOid === null ? [["create", "create", name] as const] : []), ["push", "push", name]];
}

const reviewNames = { approve: "approved", reject: "rejected", comment: "comment" } as const;

/** The webhook messages by event type. A new event needs an entry here and a composer in `payloads/`. */
const messageKinds = {
  "refs.changed": ({ payload }) => payload.updates.flatMap(ofRef),
  "repo.created": of("repository"),
  "repo.deleted": of("repository"),
  "repo.forked": of("fork"),
  "status.created": of("status"),
  "issue.created": ofIssue(),
  "issue.edited": ofIssue(),
  "issue.closed": ofIssue(),
  "issue.reopened": ofIssue(),
  // @compat Gitea sends nothing for a deleted pull request (payloads.test.ts)
  "issue.deleted": ({ payload }) => (payload.isPull ? [] : [["issues", "issues"]]),
  "issue.transferred": ofIssue(),
  "issue.received": ofIssue(),
  "issue.assigned": ofIssue("_assign"),
  "issue.unassigned": ofIssue("_assign"),
  "issue.labels_changed": ofIssue("_label"),
  "issue.milestone_changed": ofIssue("_milestone"),
  "comment.created": ofComment,
  "comment.edited": ofComment,
  "comment.deleted": ofComment,
  "pull.merged": of("pull_request"),
  "pull.retargeted": of("pull_request"),
  "pull.synchronized": of("pull_request", "pull_request_sync"),
  "review.requested": of("pull_request", "pull_request_review_request"),
  "review.request_removed": of("pull_request", "pull_request_review_request"),
  "review.submitted": ({ payload }) => {
    const name = reviewNames[payload.kind];
    return [[`pull_request_${name}`, `pull_request_review_${name}`]];
  },
  // Drafts are visible only to users who can write releases.
  "release.published": of("release"),
  "release.updated": ({ payload }) => (payload.isDraft ? [] : [["release", "release"]]),
  "release.deleted": ({ payload }) => (payload.isDraft ? [] : [["release", "release"]]),
  "wiki.created": of("wiki"),
  "wiki.edited": of("wiki"),
  "wiki.deleted": of("wiki"),
  "workflow_run.changed": of("workflow_run"),
  "workflow_job.changed": of("workflow_job"),
} as const satisfies MessageKinds;

export type HookedEvent = keyof typeof messageKinds;
export const hookedEvents = Object.keys(messageKinds) as readonly HookedEvent[];

/** A fork is reported to its origin's webhooks; it has none of its own yet. */
const recipientRepository = ({ type, payload, repoId }: EventInTransaction<HookedEvent>): number | null =>
  type === "repo.forked" ? (payload as EventInTransaction<"repo.forked">["payload"]).parentId : repoId;

/**
 * The webhook messages for a transaction's events, in order. @compat the initial refs of a new repository belong to its creation and
 * send no `create` or `push` (payloads.test.ts)
 */
export function messagesOf(events: readonly EventInTransaction<HookedEvent>[]): readonly MessageDraft[] {
  const made = new Set(events.filter(({ type }) => type === "repo.created").map(({ repoId }) => repoId));
  return events.flatMap((event) => {
    if (event.type === "refs.changed" && made.has(event.repoId)) return [];
    const repoId = recipientRepository(event);
    // Fork events do not record whether the origin has webhooks.
    if (repoId === null || (!event.hasHooks && event.type !== "repo.forked")) return [];
    const kindsOf = messageKinds[event.type] as (event: EventInTransaction) => readonly MessageKind[];
    return kindsOf(event).map(([name, eventType, subject = ""], position) => ({
      eventId: event.id,
      position,
      event: name,
      eventType,
      subject,
      repoId,
      actorId: event.actorId,
    }));
  });
}

/** The selection of a webhook. */
export interface HookSelection {
  readonly repoId: number;
  readonly events: readonly string[];
  readonly isBranchHeard: (branch: string) => boolean;
}

/** A webhook receives its selected events, and branch events only if they match its filter. */
export function isSelected(hook: HookSelection, { repoId, eventType, subject }: MessageDraft): boolean {
  if (hook.repoId !== repoId || !hook.events.includes(chosenAs(eventType))) return false;
  return !subject.startsWith(branches) || hook.isBranchHeard(subject.slice(branches.length));
}
