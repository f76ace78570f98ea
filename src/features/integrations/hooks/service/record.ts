import { randomUUID } from "node:crypto";
import type { Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { defineJob, enqueueAll } from "../../../../jobs/job.ts";
import { type HookedEvent, isSelected, type MessageDraft, messagesOf } from "../messages.ts";
import { findListening, insertDeliveries, insertMessages, type Listening } from "../store/messages.ts";
import { parseBranchFilter } from "./check.ts";

export interface Composing {
  readonly repoId: number;
}

/** Composes the payloads of one repository's messages in order. Repositories do not wait for each other. */
export const composeJob = defineJob<Composing>("hooks.compose", { maxAttempts: 1_000, maxRetryMs: 60_000 });

export const composing = (repoId: number) => ({ payload: { repoId }, dedupeKey: String(repoId) });

/**
 * Records the deliveries for a transaction's events: four statements for any number of webhooks and events; one if no webhook has
 * selected them; none if the repository has no webhooks.
 */
export async function recordDeliveries(tx: Tx, events: readonly EventInTransaction<HookedEvent>[]): Promise<void> {
  const drafts = messagesOf(events);
  if (drafts.length === 0) return;
  const listening = await findListening(tx, [...new Set(drafts.map(({ repoId }) => repoId))]);
  const heard = match(drafts, listening);
  if (heard.length === 0) return;
  const ids = await insertMessages(
    tx,
    heard.map(({ draft }) => draft),
  );
  const deliveries = heard.flatMap(({ hooks }, at) =>
    hooks.map(({ id, isFetched }) => ({
      hookId: id,
      messageId: ids[at] ?? 0,
      uuid: randomUUID(),
      state: isFetched ? ("kept" as const) : ("waiting" as const),
    })),
  );
  await insertDeliveries(tx, deliveries);
  await enqueueAll(tx, composeJob, [...new Set(heard.map(({ draft }) => draft.repoId))].map(composing));
}

function match(drafts: readonly MessageDraft[], listening: readonly Listening[]) {
  const selections = listening.map((hook) => {
    const filter = parseBranchFilter(hook.branchFilter);
    return { ...hook, isBranchHeard: (branch: string) => filter?.matches(branch) ?? false };
  });
  return drafts.flatMap((draft) => {
    const hooks = selections.filter((hook) => isSelected(hook, draft));
    return hooks.length === 0 ? [] : [{ draft, hooks }];
  });
}
