import type { Clock } from "../core/clock.ts";
import type { Db } from "../db/db.ts";
import { defineJob, enqueue, type Job } from "./job.ts";
import { loadSchedules, takeSlot, upsertSchedule } from "./store.ts";

/** Work at regular times, in UTC: at every multiple of `everyMs` since 1970, moved by `offsetMs`. */
export interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  readonly offsetMs?: number;
}

/** The job that a slot of a schedule becomes. */
export const scheduledJob = (schedule: Schedule): Job<null> => defineJob<null>(`schedule.${schedule.name}`);

const nextSlot = ({ everyMs, offsetMs = 0 }: Schedule, nowMs: number): number => (Math.floor((nowMs - offsetMs) / everyMs) + 1) * everyMs + offsetMs;

export interface ScheduleDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export async function registerSchedules({ db, clock }: ScheduleDeps, schedules: readonly Schedule[]): Promise<void> {
  if (schedules.length === 0) return;
  const nowMs = clock.now();
  await db.tx(async (tx) => {
    for (const schedule of schedules) {
      const nextRunMs = nextSlot(schedule, nowMs);
      await upsertSchedule(tx, { name: schedule.name, nextRunMs, latestMs: nextRunMs });
    }
  });
}

/**
 * Turns every slot that is due into a job: one, however many were missed, and by one process.
 * @returns when the next slot is due
 */
export async function enqueueDueSlots({ db, clock }: ScheduleDeps, schedules: readonly Schedule[]): Promise<number | undefined> {
  if (schedules.length === 0) return undefined;
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
  const nowMs = clock.now();
  let next = Number.POSITIVE_INFINITY;
  for (const { name, next_run_ms } of await loadSchedules(db, [...byName.keys()])) {
    const schedule = byName.get(name);
    if (schedule === undefined) continue;
    const nextRunMs = next_run_ms > nowMs ? next_run_ms : nextSlot(schedule, nowMs);
    next = Math.min(next, nextRunMs);
    if (next_run_ms > nowMs) continue;
    await db.tx(async (tx) => {
      if (await takeSlot(tx, { name, nowMs, nextRunMs })) await enqueue(tx, scheduledJob(schedule), null, { dedupeKey: name });
    });
  }
  return next;
}
