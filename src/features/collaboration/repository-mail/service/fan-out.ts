import type { Db, Tx } from "../../../../db/db.ts";
import type { RecordedEvent } from "../../../../events/events.ts";
import { defineJob, enqueueAll } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { RepositoryNews } from "../model.ts";
import { listRecipients } from "./recipients.ts";

/** A job that creates emails; it continues in batches, ordered by recipient. */
export type FanOut = RepositoryNews & {
  /** The last recipient of the batch before; absent in the first one. */
  readonly afterId?: number;
};
export const fanOutJob = defineJob<FanOut>("repository_mail.spread");

/** One email: retried for about two days, because mail servers recover. */
export interface Writing {
  readonly news: RepositoryNews;
  readonly accountId: number;
}
export const writeJob = defineJob<Writing>("repository_mail.write", { maxAttempts: 16, firstRetryMs: 30_000, maxRetryMs: 6 * 3_600_000 });

const remember = (tx: Tx, all: readonly RepositoryNews[]): Promise<void> =>
  enqueueAll(
    tx,
    fanOutJob,
    all.map((payload) => ({ payload })),
  );

/** Enqueues emails to users mentioned in commits. One statement, as for the others. */
export const rememberMentions = (tx: Tx, events: readonly RecordedEvent<"commit.mentioned">[]): Promise<void> =>
  remember(
    tx,
    events.map(({ id, payload, actorId, createdMs }) => ({
      kind: "mention",
      eventId: id,
      repoId: payload.repoId,
      oid: payload.oid,
      pushedMs: createdMs,
      mentionedIds: payload.mentionedIds,
      actorId,
    })),
  );

/** Enqueues emails to the new owners of repository transfers. */
export const rememberOffers = (tx: Tx, events: readonly RecordedEvent<"repo.transfer_requested">[]): Promise<void> =>
  remember(
    tx,
    events.map(({ id, payload, actorId }) => ({ kind: "offer", eventId: id, repoId: payload.repoId, actorId })),
  );

/** Enqueues emails to the owners of failing webhooks; administrators see those of the server on their pages. */
export const rememberHookFailures = (tx: Tx, events: readonly RecordedEvent<"hook.failed">[]): Promise<void> =>
  remember(
    tx,
    events.flatMap(({ id, payload: { hookId, repoId, ownerId, ownerName, host, isSwitchedOff } }) =>
      ownerId === null
        ? []
        : { kind: "hook" as const, eventId: id, hookId, isOfRepository: repoId !== null, ownerId, ownerName, host, isSwitchedOff, actorId: null },
    ),
  );

/** Enqueues emails about published releases to watchers. Pre-releases cause none, as in Gitea. */
export const rememberReleases = (tx: Tx, events: readonly RecordedEvent<"release.published">[]): Promise<void> =>
  remember(
    tx,
    events.flatMap(({ id, payload: { repoId, releaseId, isPrerelease }, actorId }) =>
      isPrerelease ? [] : { kind: "release" as const, eventId: id, repoId, releaseId, actorId },
    ),
  );

const atOnce = 200;

/** Enqueues an email to each recipient of some news; the remaining watchers of a release get their own job. */
export async function fanOut({ db }: { readonly db: Db }, run: Pick<JobRun<FanOut>, "payload" | "tx">): Promise<void> {
  const { afterId = 0, ...news } = run.payload;
  const accountIds = await listRecipients(db, news, { id: afterId, limit: atOnce });
  const last = accountIds.at(-1);
  if (last === undefined) return;
  await run.tx(async (tx) => {
    await enqueueAll(
      tx,
      writeJob,
      accountIds.map((accountId) => ({ payload: { news, accountId }, dedupeKey: `${news.eventId} ${accountId}` })),
    );
    if (news.kind === "release" && accountIds.length === atOnce)
      await enqueueAll(tx, fanOutJob, [{ payload: { ...news, afterId: last }, dedupeKey: `${news.eventId} ${last}` }]);
  });
}
