import type { EventInTransaction, EventType } from "../../../events/events.ts";
import type { CommentEvent, IssueEvent } from "../../../events/issue-events.ts";
import type { ReviewEvent } from "../../../events/review-events.ts";
import type { ActivityKind, NewActivity, Removal } from "./model.ts";

/** The activity of an event: nothing, or the columns besides author and repository. */
type Fact = Omit<NewActivity, "actorId" | "repoId">;
type ActivityPayloads = { readonly [Type in EventType]?: (event: EventInTransaction<Type>) => readonly Fact[] };

/** Maximum number of refs of one push in a feed. */
const maxRefs = 20;

/** Maximum length of a quoted dismissal reason. */
const quotedLength = 200;
const reviewKinds = { approve: "approve_pull_request", reject: "reject_pull_request", comment: "comment_pull" } as const;

/** The activities by event type. A new kind needs an entry here and in `activityUnits`. */
const activities = {
  "repo.created": () => [{ kind: "create_repo" }],
  "repo.renamed": ({ payload }) => [{ kind: "rename_repo", subject: payload.formerName }],
  "repo.transferred": ({ payload }) => [{ kind: "transfer_repo", subject: `${payload.formerOwnerName}/${payload.name}` }],
  "refs.changed": ({ payload }) => payload.updates.slice(0, maxRefs).flatMap(refActivity),
  "issue.created": ({ payload }) => [issueActivity(payload, "create_issue", "create_pull_request", payload.title)],
  "issue.closed": ({ payload }) => [issueActivity(payload, "close_issue", "close_pull_request")],
  "issue.reopened": ({ payload }) => [issueActivity(payload, "reopen_issue", "reopen_pull_request")],
  "pull.merged": ({ payload: { number, title, isScheduled } }) => [
    { kind: isScheduled ? "auto_merge_pull_request" : "merge_pull_request", subject: subjectOf(number) + title },
  ],
  // @compat Gitea sends the tag without its `refs/tags/` (releases/api.test.ts)
  "release.published": ({ payload }) => [{ kind: "publish_release", refName: payload.tagName, subject: payload.title }],
  "review.submitted": ({ payload: { number, kind, commentId } }) => [
    { kind: reviewKinds[kind], subject: subjectOf(number), ...(commentId !== null && { commentId }) },
  ],
  "review.dismissed": ({ payload: { number, message } }) => [
    { kind: "pull_review_dismissed", subject: subjectOf(number) + message.slice(0, quotedLength).toWellFormed() },
  ],
  "comment.created": ({ payload }) => [{ ...issueActivity(payload, "comment_issue", "comment_pull"), commentId: payload.commentId }],
} as const satisfies ActivityPayloads;

/** Activities of these subjects are deleted with them. */
const removals = ["issue.deleted", "comment.deleted", "review.deleted"] as const;

type RecordedActivityEvent = keyof typeof activities;
export type ActivityEvent = RecordedActivityEvent | (typeof removals)[number];
const isReported = (event: EventInTransaction<ActivityEvent>): event is EventInTransaction<RecordedActivityEvent> => Object.hasOwn(activities, event.type);
export const activityEvents: readonly ActivityEvent[] = [...(Object.keys(activities) as RecordedActivityEvent[]), ...removals];

/** The prefix of an issue activity's subject. */
const subjectOf = (number: number): string => `${number}|`;

function issueActivity({ number, isPull }: Pick<IssueEvent, "number" | "isPull">, ofIssue: ActivityKind, ofPull: ActivityKind, text = ""): Fact {
  return { kind: isPull ? ofPull : ofIssue, subject: subjectOf(number) + text };
}

function refActivity({ name, oldOid, newOid }: { readonly name: string; readonly oldOid: string | null; readonly newOid: string | null }): readonly Fact[] {
  const move = { refName: name, oldOid, newOid };
  if (name.startsWith("refs/heads/")) return [{ ...move, kind: newOid === null ? "delete_branch" : "commit_repo" }];
  if (name.startsWith("refs/tags/")) return [{ ...move, kind: newOid === null ? "delete_tag" : "push_tag" }];
  return [];
}

/** The activities for the events of a transaction. Actions without an account are skipped, and so are the initial refs of a new repository. */
export function activitiesOf(events: readonly EventInTransaction<ActivityEvent>[]): NewActivity[] {
  const made = new Set(events.filter(({ type }) => type === "repo.created").map(({ repoId }) => repoId));
  return events.filter(isReported).flatMap((event) => {
    const { actorId, repoId } = event;
    if (actorId === null || repoId === null || (event.type === "refs.changed" && made.has(repoId))) return [];
    const activitiesOf = activities[event.type] as (event: EventInTransaction) => readonly Fact[];
    return activitiesOf(event).map((activity) => ({ ...activity, actorId, repoId }));
  });
}

/** The activities to delete for the events of a transaction. */
export function removalsOf(events: readonly EventInTransaction<ActivityEvent>[]): Removal[] {
  return events.flatMap(({ type, payload }): Removal[] => {
    if (type === "comment.deleted") {
      const { repoId, commentId } = payload as CommentEvent;
      return [{ repoId, commentId }];
    }
    if (type === "review.deleted") {
      const { repoId, commentId } = payload as ReviewEvent;
      return commentId === null ? [] : [{ repoId, commentId }];
    }
    if (type !== "issue.deleted") return [];
    const { repoId, number } = payload as IssueEvent;
    return [{ repoId, subject: subjectOf(number) }];
  });
}
