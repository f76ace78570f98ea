import type { Db, Tx } from "../../../../db/db.ts";
import type { RecordedEvent } from "../../../../events/events.ts";
import { defineJob, enqueueAll } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { RepositoryNews } from "../model.ts";
import { listAccountsThatMarked } from "./recipients.ts";

export const fanOutJob = defineJob<RepositoryNews>("repository_mail.spread");

/** One letter: tried for some two days, because mail servers come back. */
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

/** Has letters written to whom commits name. One statement, as the others here. */
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

/** Has letters written to those to whom repositories are offered. */
export const rememberOffers = (tx: Tx, events: readonly RecordedEvent<"repo.transfer_requested">[]): Promise<void> =>
  remember(
    tx,
    events.map(({ id, payload, actorId }) => ({ kind: "offer", eventId: id, repoId: payload.repoId, actorId })),
  );

/** Has letters written to the owners of webhooks that fail; the server's own are seen by its administrators. */
export const rememberHookFailures = (tx: Tx, events: readonly RecordedEvent<"hook.failed">[]): Promise<void> =>
  remember(
    tx,
    events.flatMap(({ id, payload: { hookId, repoId, ownerId, ownerName, host, isSwitchedOff } }) =>
      ownerId === null
        ? []
        : { kind: "hook" as const, eventId: id, hookId, isOfRepository: repoId !== null, ownerId, ownerName, host, isSwitchedOff, actorId: null },
    ),
  );

/** Has a letter written to each whom some news are for. */
export async function fanOut({ db }: { readonly db: Db }, run: Pick<JobRun<RepositoryNews>, "payload" | "tx">): Promise<void> {
  const news = run.payload;
  const accountIds = await listAccountsThatMarked(db, news);
  await run.tx((tx) =>
    enqueueAll(
      tx,
      writeJob,
      accountIds.map((accountId) => ({ payload: { news, accountId }, dedupeKey: `${news.eventId} ${accountId}` })),
    ),
  );
}
