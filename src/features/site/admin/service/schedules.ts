import type { UserActor } from "../../../../access/actor.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { loadScheduleStates, requestRun, type Schedule, type ScheduleState } from "../../../../jobs/schedule.ts";
import { listSchedules as listRows, type ScheduleRow } from "../../../../jobs/store.ts";
import { contractTasks } from "../contract-tasks.ts";

/** A task in the list. */
export interface TaskState {
  readonly name: string;
  /** Null: runs only on request. */
  readonly everyMs: number | null;
  readonly nextRunMs: number | null;
  /** Null: it has not run yet. */
  readonly lastRunMs: number | null;
  readonly runs: number;
}

/** The schedules of the server, by name. */
export async function listSchedules(deps: { readonly db: Reader; readonly schedules: readonly Schedule[] }, page: Page): Promise<Paged<ScheduleState>> {
  const sorted = deps.schedules.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { total: sorted.length, items: await loadScheduleStates(deps.db, sorted.slice(page.offset, page.offset + page.limit)) };
}

/** The schedules and the contract's other tasks, by name. A task shows the runs of the schedule that does its work. */
export async function listTasks(deps: { readonly db: Reader; readonly schedules: readonly Schedule[] }, page: Page): Promise<Paged<TaskState>> {
  const names = [...deps.schedules.map(({ name }) => name), ...contractTasks.keys()].toSorted();
  const shown = names.slice(page.offset, page.offset + page.limit);
  const wanted = new Set(shown.map((name) => contractTasks.get(name)?.runs ?? name));
  const states = await loadScheduleStates(
    deps.db,
    deps.schedules.filter(({ name }) => wanted.has(name)),
  );
  const byName = new Map(states.map((state) => [state.name, state]));
  const items = shown.flatMap((name): readonly TaskState[] => {
    const task = contractTasks.get(name);
    const state = byName.get(task?.runs ?? name);
    if (task !== undefined) return [{ name, everyMs: null, nextRunMs: null, lastRunMs: state?.lastRunMs ?? null, runs: state?.runs ?? 0 }];
    return state === undefined ? [] : [state];
  });
  return { total: names.length, items };
}

/** The schedules recorded in the database, for commands without a running server. */
export const listAllSchedules = (deps: { readonly db: Reader }): Promise<readonly ScheduleRow[]> => listRows(deps.db);

/** Runs a task once, as soon as a worker is free. @throws ForgeError `not_found` for an unknown name */
export async function runSchedule(deps: { readonly db: Db }, actor: UserActor, name: string): Promise<void> {
  const task = contractTasks.get(name);
  const schedule = task === undefined ? name : task.runs;
  await deps.db.tx(async (tx) => {
    if (schedule !== undefined && !(await requestRun(tx, schedule))) throw notFound();
    await recordEvent(tx, "schedule.requested", { name }, { by: actor });
  });
}
