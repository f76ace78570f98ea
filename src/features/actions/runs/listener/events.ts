import type { JobRun } from "../../../../jobs/queue.ts";
import { startForEvent, startForRun } from "../service/events.ts";
import { startForPull } from "../service/pulls.ts";
import { startScheduled } from "../service/schedules.ts";
import { type EventTrigger, isPullTrigger, type RunTrigger } from "../service/triggers.ts";
import { eventPayload, runPayload, schedulePayload } from "./payloads.ts";
import type { ListenerDeps } from "./pushes.ts";

/** Starts the workflows that an event triggers. */
export function startForTrigger(deps: ListenerDeps, { payload: trigger }: JobRun<EventTrigger>): Promise<void> {
  const payloadOf = (activity: string | undefined) => eventPayload(deps, trigger, activity);
  if (!isPullTrigger(trigger.trigger)) return startForEvent({ ...deps, payloadOf }, trigger);
  return startForPull({ ...deps, payloadOf }, { ...trigger, number: (trigger.event as { readonly number: number }).number });
}

/** Starts the workflows that another run triggers. */
export const startForOtherRun = (deps: ListenerDeps, { payload: trigger }: JobRun<RunTrigger>): Promise<void> =>
  startForRun({ ...deps, payloadOf: (run, activity) => runPayload(deps, run, activity) }, trigger);

/** Starts the workflows whose time has come. */
export const startForTime = (deps: ListenerDeps): Promise<void> =>
  startScheduled({ ...deps, payloadOf: (repoId, actorId, cron) => schedulePayload(deps, repoId, actorId, cron) });
