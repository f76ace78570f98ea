import type { UserActor } from "../../../access/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Reader } from "../../../db/db.ts";
import { recordEvent } from "../../../events/events.ts";
import { loadScheduleStates, requestRun, type Schedule, type ScheduleState } from "../../../jobs/schedule.ts";
import { listSchedules as listRows, type ScheduleRow } from "../../../jobs/store.ts";

/** What the server does at regular times, by name. */
export async function listSchedules(deps: { readonly db: Reader; readonly schedules: readonly Schedule[] }, page: Page): Promise<Paged<ScheduleState>> {
  const sorted = deps.schedules.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { total: sorted.length, items: await loadScheduleStates(deps.db, sorted.slice(page.offset, page.offset + page.limit)) };
}

/** The same as far as the database knows, for who has no server at hand. */
export const listAllSchedules = (deps: { readonly db: Reader }): Promise<readonly ScheduleRow[]> => listRows(deps.db);

/** Does now, once, what is done at regular times. @throws ForgeError `not_found` for an unknown name */
export async function runSchedule(deps: { readonly db: Db }, actor: UserActor, name: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await requestRun(tx, name))) throw notFound();
    await recordEvent(tx, "schedule.requested", { name }, { by: actor });
  });
}
