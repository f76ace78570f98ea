import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { enqueue } from "../../../../jobs/job.ts";
import type { DeliveryState, DeliveryView, EventView } from "../model.ts";
import { type DeliveryFilter, findDelivery, latestStates, listSince, pageDeliveries, sendAgain } from "../store/delivery-lists.ts";
import { deliverJob, receiverKey } from "./deliver-job.ts";
import { getHook } from "./hooks.ts";

/** A webhook's deliveries, newest first. @throws ForgeError `not_found` */
export async function listDeliveries(
  deps: { readonly db: Reader },
  owner: SettingsOwner,
  hookId: number,
  filter: DeliveryFilter,
  page: Page,
): Promise<Paged<DeliveryView>> {
  const hook = await getHook(deps, owner, hookId);
  return pageDeliveries(deps.db, hook.id, filter, page);
}

/** The states of the last attempted deliveries, by webhook. */
export const listLatestStates = (deps: { readonly db: Reader }, hooks: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, DeliveryState>> =>
  latestStates(
    deps.db,
    hooks.map(({ id }) => id),
  );

/** Includes the request and response. @throws ForgeError `not_found` */
export async function getDelivery(deps: { readonly db: Reader }, owner: SettingsOwner, hookId: number, id: number): Promise<DeliveryView> {
  const hook = await getHook(deps, owner, hookId);
  const delivery = await findDelivery(deps.db, hook.id, id);
  if (delivery === undefined) throw notFound();
  return delivery;
}

/**
 * Resends a delivery at once: the same bytes, id and sequence number. A pending delivery becomes due.
 * @throws ForgeError `not_found`, also for events that are only fetched or not composed
 */
export async function redeliver(deps: { readonly db: Db }, owner: SettingsOwner, hookId: number, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const hook = await getHook({ db: tx }, owner, hookId);
    if (hook.url === "" || !(await sendAgain(tx, hook.id, id))) throw notFound();
    await enqueue(tx, deliverJob, { hookId }, { dedupeKey: receiverKey(hookId) });
  });
}

/** A webhook's events after a sequence number, for unreachable receivers. @throws ForgeError `not_found` */
export async function listEventsSince(
  deps: { readonly db: Reader },
  owner: SettingsOwner,
  hookId: number,
  since: number,
  limit: number,
): Promise<readonly EventView[]> {
  const hook = await getHook(deps, owner, hookId);
  return listSince(deps.db, hook.id, since, limit);
}
