import type { Clock } from "../../../../core/clock.ts";
import type { Db } from "../../../../db/db.ts";
import { enqueueAll } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { countAttempt, failMessage, findEvents, findReceivers, freezeMessage, listOpenMessages, type OpenMessage } from "../store/messages.ts";
import { deliverJob, receiverKey } from "./deliver-job.ts";
import type { Composing } from "./record.ts";

export interface ComposerDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** A message with its event. */
export interface ToCompose extends OpenMessage {
  /** Empty for a test delivery. */
  readonly type: string;
  readonly eventPayload: unknown;
}

/** @returns the payload; undefined if the subject was deleted without a record */
export type Compose = (message: ToCompose) => Promise<object | undefined>;

const batch = 50;
/** Attempts per message; later ones follow after a pause. */
const maxAttempts = 5;

/**
 * Composes the payloads of a repository's messages, in order, and assigns them to their webhooks. A payload is written once and
 * never changes, so a delivery depends only on its own rows.
 */
export async function composeMessages(deps: ComposerDeps, run: JobRun<Composing>, compose: Compose): Promise<void> {
  for (;;) {
    const open = await listOpenMessages(deps.db, run.payload.repoId, batch);
    if (open.length === 0) return;
    const events = await findEvents(
      deps.db,
      open.map(({ eventId }) => eventId),
    );
    const composed: { readonly id: number; readonly payload: object | undefined }[] = [];
    let failure: { readonly message: OpenMessage; readonly error: unknown } | undefined;
    for (const message of open) {
      const event = events.get(message.eventId);
      try {
        const payload = await compose({ ...message, type: event?.type ?? "", eventPayload: event === undefined ? {} : JSON.parse(event.payload) });
        composed.push({ id: message.id, payload });
      } catch (error) {
        failure = { message, error };
        break;
      }
    }
    await run.tx(async (tx) => {
      for (const { id, payload } of composed) {
        await freezeMessage(tx, id, payload === undefined ? "" : JSON.stringify(payload, null, 2), deps.clock.now());
        if (payload === undefined) await failMessage(tx, id, "deleted");
      }
      const receivers = await findReceivers(
        tx,
        composed.map(({ id }) => id),
      );
      await enqueueAll(
        tx,
        deliverJob,
        receivers.map(({ id, blockedUntilMs }) => ({ payload: { hookId: id }, dedupeKey: receiverKey(id), runAtMs: blockedUntilMs })),
      );
    });
    if (failure !== undefined) await passOver(deps, run, failure.message, failure.error);
  }
}

/** The job fails and is retried. A message that keeps failing is skipped, so that later ones of its repository continue. */
async function passOver({ clock }: ComposerDeps, run: JobRun<Composing>, { id, attempts }: OpenMessage, error: unknown): Promise<void> {
  if (attempts + 1 < maxAttempts) {
    await run.tx((tx) => countAttempt(tx, id));
    throw error;
  }
  await run.tx(async (tx) => {
    await freezeMessage(tx, id, "", clock.now());
    await failMessage(tx, id, "not_composed");
  });
}
