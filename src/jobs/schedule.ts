import type { Clock } from "../core/clock.ts";
import type { Db, Reader, Tx } from "../db/db.ts";
import { defineJob, enqueue, type Job } from "./job.ts";
import { countRun, listSchedules, type ScheduleRow, takeSlot, upsertSchedules } from "./store.ts";

/** Periodic work, in UTC: at every multiple of `everyMs` since 1970, shifted by `offsetMs`. */
export interface Schedule {
  /** Lower case, with underscores, because it appears in URLs. */
  readonly name: string;
  readonly everyMs: number;
  readonly offsetMs?: number;
}

/** The job that a slot of a schedule enqueues. */
export const scheduledJob = (schedule: Schedule): Job<null> => defineJob<null>(jobKind(schedule.name));

const jobKind = (name: string): string => `schedule.${name}`;

const nextSlot = ({ everyMs, offsetMs = 0 }: Schedule, nowMs: number): number => (Math.floor((nowMs - offsetMs) / everyMs) + 1) * everyMs + offsetMs;

/** A schedule and its run history. */
export interface ScheduleState extends ScheduleRow {
  readonly everyMs: number;
}

/** In the order of `schedules`. One statement. */
export async function loadScheduleStates(db: Reader, schedules: readonly Schedule[]): Promise<readonly ScheduleState[]> {
  const names = schedules.map(({ name }) => name);
  const rows = new Map((await listSchedules(db, names)).map((row) => [row.name, row]));
  return schedules.flatMap(({ name, everyMs }) => {
    const row = rows.get(name);
    return row === undefined ? [] : [{ ...row, everyMs }];
  });
}

/** Runs a schedule's work once, outside its slots, as soon as a worker is free. @returns false if there is no schedule with this name */
export async function requestRun(tx: Tx, name: string): Promise<boolean> {
  if (!(await countRun(tx, name))) return false;
  await enqueue(tx, defineJob<null>(jobKind(name)), null, { dedupeKey: name });
  return true;
}

export interface ScheduleDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export async function registerSchedules({ db, clock }: ScheduleDeps, schedules: readonly Schedule[]): Promise<void> {
  if (schedules.length === 0) return;
  const nowMs = clock.now();
  const slots = schedules.map((schedule) => ({ name: schedule.name, nextRunMs: nextSlot(schedule, nowMs) }));
  await db.tx((tx) => upsertSchedules(tx, slots));
}

/**
 * Enqueues one job per due schedule, however many slots were missed, in one of the processes.
 * @returns time of the next slot
 */
export async function enqueueDueSlots({ db, clock }: ScheduleDeps, schedules: readonly Schedule[]): Promise<number | undefined> {
  if (schedules.length === 0) return undefined;
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
  const nowMs = clock.now();
  let next = Number.POSITIVE_INFINITY;
  for (const { name, nextRunMs: dueMs } of await listSchedules(db, [...byName.keys()])) {
    const schedule = byName.get(name);
    if (schedule === undefined) continue;
    const nextRunMs = dueMs > nowMs ? dueMs : nextSlot(schedule, nowMs);
    next = Math.min(next, nextRunMs);
    if (dueMs > nowMs) continue;
    await db.tx(async (tx) => {
      if (await takeSlot(tx, { name, nowMs, nextRunMs })) await enqueue(tx, scheduledJob(schedule), null, { dedupeKey: name });
    });
  }
  return next;
}
