import type { Db, Tx } from "../../../../db/db.ts";
import type { RecordedEvent } from "../../../../events/events.ts";
import { announcedEventTypes } from "../../../../events/issue-events.ts";
import { defineJob, enqueueAll } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { Happening } from "../model.ts";
import { type Addressee, happenings, type IssueNews } from "../model.ts";
import { listAddressees } from "../store.ts";

/** Events that cause emails. */
export const notifiedEventTypes = [...announcedEventTypes, "pull.merged", "pull.synchronized"] as const;
type NotifiedEvent = RecordedEvent<(typeof notifiedEventTypes)[number]>;

const happeningsByType: Readonly<Record<Exclude<(typeof notifiedEventTypes)[number], "review.submitted">, Happening>> = {
  "issue.created": "created",
  "comment.created": "commented",
  "issue.closed": "closed",
  "issue.reopened": "reopened",
  "issue.received": "transferred",
  "issue.assigned": "assigned",
  "issue.edited": "mentioned",
  "comment.edited": "mentioned",
  "review.requested": "requested",
  "pull.merged": "merged",
  "pull.synchronized": "pushed",
};

const verdicts = { approve: "approved", reject: "rejected", comment: "reviewed" } as const;

function happeningOf({ type, payload }: NotifiedEvent): Happening {
  if (type === "review.submitted") return "kind" in payload ? verdicts[payload.kind] : "reviewed";
  return happeningsByType[type];
}

/** A job that creates emails; it continues in batches, ordered by recipient. */
export interface FanOut {
  readonly news: IssueNews;
  readonly afterId: number;
}
export const fanOutJob = defineJob<FanOut>("issue_mail.spread");

/** One email: retried for about two days, because mail servers recover. */
export interface Writing extends Addressee {
  readonly news: IssueNews;
}
export const writeJob = defineJob<Writing>("issue_mail.write", { maxAttempts: 16, firstRetryMs: 30_000, maxRetryMs: 6 * 3_600_000 });

/** Enqueues the emails for a transaction's events. One statement, or none if no event causes emails. */
export async function rememberNews(tx: Tx, events: readonly NotifiedEvent[]): Promise<void> {
  await enqueueAll(
    tx,
    fanOutJob,
    newsOf(events).map((news) => ({ payload: { news, afterId: 0 } })),
  );
}

/** Changes of one issue, or of one comment on it, by one author in a transaction are one email. */
function newsOf(events: readonly NotifiedEvent[]): readonly IssueNews[] {
  const groups = Map.groupBy(events, (event) => `${event.actorId} ${event.payload.issueId} ${commentOf(event)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const happened = group.map(happeningOf);
    const happening = happenings.find((one) => happened.includes(one)) ?? "mentioned";
    const mentionedIds = distinct(group.flatMap(({ payload }) => ("mentionedIds" in payload ? payload.mentionedIds : [])));
    const askedIds = distinct(group.flatMap(({ payload }) => ("askedIds" in payload ? payload.askedIds : [])));
    const assigneeIds = distinct(group.flatMap(({ payload }) => ("assigneeId" in payload ? [payload.assigneeId] : [])));
    if (happening === "mentioned" && mentionedIds.length === 0) return [];
    const { repoId, issueId, number } = first.payload;
    const about = { commentId: commentOf(first), reviewId: reviewOf(first), push: pushOf(first) };
    return { eventId: first.id, happening, repoId, issueId, number, ...about, actorId: first.actorId, mentionedIds, askedIds, assigneeIds };
  });
}

const commentOf = ({ payload }: NotifiedEvent): number | null => ("commentId" in payload ? payload.commentId : null);
const reviewOf = ({ payload }: NotifiedEvent): number | null => ("kind" in payload ? payload.reviewId : null);
const pushOf = ({ payload }: NotifiedEvent): IssueNews["push"] =>
  "formerHeadOid" in payload ? { headOid: payload.headOid, formerHeadOid: payload.formerHeadOid } : null;
const distinct = (ids: readonly number[]): readonly number[] => [...new Set(ids)];

const atOnce = 200;

/** Finds recipients and enqueues an email to each; the remaining recipients get their own job. */
export async function fanOut({ db }: { readonly db: Db }, run: Pick<JobRun<FanOut>, "payload" | "tx">): Promise<void> {
  const { news, afterId } = run.payload;
  const addressees = await listAddressees(db, news, afterId, atOnce);
  const last = addressees.at(-1);
  if (last === undefined) return;
  await run.tx(async (tx) => {
    await enqueueAll(
      tx,
      writeJob,
      addressees.map((addressee) => ({ payload: { news, ...addressee }, dedupeKey: `${news.eventId} ${addressee.accountId}` })),
    );
    if (addressees.length === atOnce) {
      await enqueueAll(tx, fanOutJob, [{ payload: { news, afterId: last.accountId }, dedupeKey: `${news.eventId} ${last.accountId}` }]);
    }
  });
}
