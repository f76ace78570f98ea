import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { enqueue } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import {
  type CalledHook,
  type DueDelivery,
  deactivateHook,
  findCalledHook,
  findNext,
  giveUp,
  giveUpAll,
  listDue,
  noteFailureReported,
  recordAttempt,
  recordHealth,
} from "../store/deliveries.ts";
import { deliverJob, type Receiver, receiverKey } from "./deliver-job.ts";
import { giveUpAfterMs, pauseAfter } from "./retries.ts";
import { type Outcome, type SendDeps, send } from "./send.ts";

export interface DeliverDeps extends SendDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/** Deliveries are loaded in batches of this size. */
const batch = 20;
/** After this time other webhooks get their turn. */
const turnMs = 20_000;
/** Minimum time between failure notices to the owners of a webhook that still responds. */
const repeatAfterMs = 7 * 86_400_000;

/**
 * Sends all due deliveries of a webhook in order, until none is left or the receiver is away. A delivery that a responding receiver
 * rejects is retried separately and delays no others. While the receiver is away, all wait.
 */
export async function deliverHook(deps: DeliverDeps, run: JobRun<Receiver>): Promise<void> {
  const { hookId } = run.payload;
  const endMs = deps.clock.now() + turnMs;
  for (;;) {
    const hook = await findCalledHook(deps.db, hookId);
    if (hook === undefined) return;
    const nowMs = deps.clock.now();
    const due = (await listDue(deps.db, hookId, nowMs, batch)).filter(({ state }) => state === "refused" || hook.blockedUntilMs <= nowMs);
    const isSame = await sendNext(deps, run, hook, due);
    // Deliveries added in the meantime have enqueued their own job.
    if (isSame && due.length < batch) return await callAgain(deps, run, hook);
    if (isSame && deps.clock.now() >= endMs) return await run.tx((tx) => callAt(tx, hookId, 0));
  }
}

/** @returns false as soon as the webhook has changed */
async function sendNext(deps: DeliverDeps, run: JobRun<Receiver>, hook: CalledHook, due: readonly DueDelivery[]): Promise<boolean> {
  for (const delivery of due) {
    run.signal.throwIfAborted();
    const nowMs = deps.clock.now();
    const outcome = await send(deps, hook, delivery, { nowMs, signal: run.signal });
    await run.tx((tx) => record(tx, hook, delivery, outcome, deps.clock.now()));
    if (outcome.kind === "away" || outcome.kind === "gone" || hook.failures > 0) return false;
  }
  return true;
}

async function record(tx: Tx, hook: CalledHook, delivery: DueDelivery, outcome: Outcome, nowMs: number): Promise<void> {
  const { status: responseStatus, body: responseBody, error, failure, durationMs } = outcome;
  const isLate = nowMs - delivery.sinceMs >= giveUpAfterMs;
  const attempt = { nextAttemptMs: 0, responseStatus, responseBody, error, failure, durationMs };
  const isAnswer = outcome.kind === "delivered" || outcome.kind === "refused" || outcome.kind === "gone";
  if (isAnswer && hook.failures > 0) await recordHealth(tx, hook.id, { failures: 0, blockedUntilMs: 0 });
  switch (outcome.kind) {
    case "delivered":
      return recordAttempt(tx, delivery.id, { ...attempt, state: "delivered" });
    case "refused":
      if (isLate) await reportFailure(tx, hook, nowMs);
      return recordAttempt(tx, delivery.id, { ...attempt, state: isLate ? "failed" : "refused", nextAttemptMs: nowMs + pauseAfter(delivery.attempts + 1) });
    case "unsendable":
      return recordAttempt(tx, delivery.id, { ...attempt, state: "failed" });
    case "gone":
      await recordAttempt(tx, delivery.id, { ...attempt, state: "failed" });
      return switchOff(tx, hook, outcome, nowMs);
    case "away": {
      const failures = hook.failures + 1;
      const blockedUntilMs = nowMs + Math.max(pauseAfter(failures), outcome.retryAfterMs);
      await recordHealth(tx, hook.id, { failures, blockedUntilMs });
      await recordAttempt(tx, delivery.id, { ...attempt, state: isLate ? "failed" : delivery.state, nextAttemptMs: blockedUntilMs });
      if (!isLate) return;
      // Deliveries that waited behind this one are at least as old.
      await giveUp(tx, hook.id, nowMs - giveUpAfterMs, outcome);
      await reportFailure(tx, hook, nowMs);
    }
  }
}

async function switchOff(tx: Tx, hook: CalledHook, reason: Outcome, nowMs: number): Promise<void> {
  await deactivateHook(tx, hook.id);
  await giveUpAll(tx, hook.id, reason);
  const { id: hookId, scope, type, ownerName } = hook;
  await recordEvent(tx, "hook.updated", { hookId, ownerName, scope, type, host: hostOf(hook), isActive: false }, { by: null });
  await reportFailure(tx, hook, nowMs, { isSwitchedOff: true });
}

const hostOf = ({ url }: CalledHook): string => new URL(url).host;

/** Notifies the owners: once until the receiver has come back, or once a week for a receiver that still accepts some deliveries. */
async function reportFailure(tx: Tx, hook: CalledHook, nowMs: number, { isSwitchedOff } = { isSwitchedOff: false }): Promise<void> {
  const { id: hookId, repoId, ownerId, ownerName } = hook;
  const isNews = await noteFailureReported(tx, hookId, nowMs - repeatAfterMs);
  if (isNews || isSwitchedOff) await recordEvent(tx, "hook.failed", { hookId, repoId, ownerId, ownerName, host: hostOf(hook), isSwitchedOff });
}

/** Schedules the next run for the next due delivery, if any. */
async function callAgain(deps: DeliverDeps, run: JobRun<Receiver>, hook: CalledHook): Promise<void> {
  const { refusedMs, hasWaiting } = await findNext(deps.db, hook.id);
  const times = [...(refusedMs === null ? [] : [refusedMs]), ...(hasWaiting ? [hook.blockedUntilMs] : [])];
  if (times.length > 0) await run.tx((tx) => callAt(tx, hook.id, Math.min(...times)));
}

const callAt = (tx: Tx, hookId: number, runAtMs: number): Promise<void> => enqueue(tx, deliverJob, { hookId }, { dedupeKey: receiverKey(hookId), runAtMs });
