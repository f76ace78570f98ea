import type { EventInTransaction, EventType, RefUpdateEvent } from "../../../events/events.ts";
import type { IssueEvent } from "../../../events/issue-events.ts";
import { chosenAs } from "./event-names.ts";

/** What an event says to receivers, before it is put into words. */
export interface MessageDraft {
  readonly eventId: number;
  /** Of one event there may be several. */
  readonly position: number;
  /** As the wire names it, and more exactly. */
  readonly event: string;
  readonly eventType: string;
  /** The ref that it is about, where the event tells of several. */
  readonly subject: string;
  /** The repository whose webhooks hear of it. */
  readonly repoId: number;
  readonly actorId: number | null;
}

type Saying = readonly [event: string, eventType: string, subject?: string];
type Sayings = { readonly [Type in EventType]?: (event: EventInTransaction<Type>) => readonly Saying[] };

const branches = "refs/heads/";
const tags = "refs/tags/";

/** `pull_request`, `pull_request_label` and so on, or what issues have for it. */
const ofIssue =
  (variant = "") =>
  ({ payload }: { readonly payload: Pick<IssueEvent, "isPull"> }): readonly Saying[] => {
    if (payload.isPull) return [["pull_request", `pull_request${variant}`]];
    return [["issues", variant === "" ? "issues" : `issue${variant}`]];
  };

const ofComment = ({ payload }: { readonly payload: Pick<IssueEvent, "isPull"> }): readonly Saying[] => [
  ["issue_comment", payload.isPull ? "pull_request_comment" : "issue_comment"],
];

const of =
  (event: string, eventType = event) =>
  (): readonly Saying[] => [[event, eventType]];

/** A branch that goes has no push; other refs than branches and tags are nobody's business. */
function ofRef({ name, oldOid, newOid }: RefUpdateEvent): readonly Saying[] {
  if (!name.startsWith(branches) && !name.startsWith(tags)) return [];
  if (newOid === null) return [["delete", "delete", name]];
  return [...(oldOid === null ? [["create", "create", name] as const] : []), ["push", "push", name]];
}

const reviewNames = { approve: "approved", reject: "rejected", comment: "comment" } as const;

/** Which events webhooks hear of, and as what: a new one is a line here and its payload in `listener/`. */
const sayings = {
  "refs.changed": ({ payload }) => payload.updates.flatMap(ofRef),
  "repo.created": of("repository"),
  "repo.deleted": of("repository"),
  "repo.forked": of("fork"),
  "status.created": of("status"),
  "issue.created": ofIssue(),
  "issue.edited": ofIssue(),
  "issue.closed": ofIssue(),
  "issue.reopened": ofIssue(),
  // @compat nothing is said of a pull request that is deleted
  "issue.deleted": ({ payload }) => (payload.isPull ? [] : [["issues", "issues"]]),
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
  // Drafts are known to those alone who write releases.
  "release.published": of("release"),
  "release.updated": ({ payload }) => (payload.isDraft ? [] : [["release", "release"]]),
  "release.deleted": ({ payload }) => (payload.isDraft ? [] : [["release", "release"]]),
  "wiki.created": of("wiki"),
  "wiki.edited": of("wiki"),
  "wiki.deleted": of("wiki"),
} as const satisfies Sayings;

export type HookedEvent = keyof typeof sayings;
export const hookedEvents = Object.keys(sayings) as readonly HookedEvent[];

/** A fork is news where it was made from; it has not got webhooks of its own yet. */
const heardIn = ({ type, payload, repoId }: EventInTransaction<HookedEvent>): number | null =>
  type === "repo.forked" ? (payload as EventInTransaction<"repo.forked">["payload"]).parentId : repoId;

/**
 * The messages to webhooks about the events of a transaction, in their order.
 * @compat the refs that a new repository begins with are part of its creation: there is no `create` or `push` for them
 */
export function messagesOf(events: readonly EventInTransaction<HookedEvent>[]): readonly MessageDraft[] {
  const made = new Set(events.filter(({ type }) => type === "repo.created").map(({ repoId }) => repoId));
  return events.flatMap((event) => {
    if (event.type === "refs.changed" && made.has(event.repoId)) return [];
    const repoId = heardIn(event);
    // Whether a fork's origin has webhooks was not asked when it was recorded.
    if (repoId === null || (!event.hasHooks && event.type !== "repo.forked")) return [];
    const say = sayings[event.type] as (event: EventInTransaction) => readonly Saying[];
    return say(event).map(([name, eventType, subject = ""], position) => ({
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

/** Whom a message may reach. */
export interface Hearing {
  readonly repoId: number;
  readonly events: readonly string[];
  readonly isBranchHeard: (branch: string) => boolean;
}

/** A webhook hears what it has chosen, and of branches only those of its filter. */
export function hears(hook: Hearing, { repoId, eventType, subject }: MessageDraft): boolean {
  if (hook.repoId !== repoId || !hook.events.includes(chosenAs(eventType))) return false;
  return !subject.startsWith(branches) || hook.isBranchHeard(subject.slice(branches.length));
}
