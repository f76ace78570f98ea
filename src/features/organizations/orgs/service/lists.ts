import { type Actor, isSelf, isSiteAdmin, isUser, seesPrivate } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { type AccountFilter, listAccountIds } from "../../../accounts/users/service/account-lists.ts";
import type { OrganizationView } from "../model.ts";
import { loadOrganizationsById, organizationIdsOf, shownOrganizationIdsOf } from "../store.ts";

export interface ListDeps {
  readonly db: Reader;
}

/** Visibilities that a caller sees without being a member. */
function openVisibilities(actor: Actor): readonly OrganizationView["visibility"][] {
  if (!isUser(actor) || !seesPrivate(actor)) return ["public"];
  if (isSiteAdmin(actor)) return ["public", "limited", "private"];
  return actor.isRestricted ? ["public"] : ["public", "limited"];
}

export type OrganizationSort = "alphabetically" | "newest" | "recentupdate";

const sorts: Readonly<Record<OrganizationSort, AccountFilter["sort"]>> = {
  alphabetically: { by: "name_folded", direction: "asc" },
  newest: { by: "id", direction: "desc" },
  recentupdate: { by: "updated_ms", direction: "desc" },
};

export interface OrganizationQuery {
  /** Part of a name; empty: all. */
  readonly text: string;
  readonly sort: OrganizationSort;
}

interface OrganizationFilter extends Partial<OrganizationQuery>, Pick<AccountFilter, "visibilities" | "alwaysIds" | "chosenIds"> {}

/** A page of organizations, by name unless another order is given. At most three statements. */
async function pageOrganizations(deps: ListDeps, filter: OrganizationFilter, page: Page): Promise<Paged<OrganizationView>> {
  const { items, total } = await pageIds(deps, filter, page);
  return { items: await loadOrganizations(deps, items), total };
}

function pageIds({ db }: ListDeps, { text = "", sort = "alphabetically", ...others }: OrganizationFilter, page: Page): Promise<Paged<number>> {
  return listAccountIds(db, { ...others, kind: "organization", text: text.trim(), searchesEmail: false, sort: sorts[sort] }, page);
}

/** Organizations in the order of `ids`. One statement. */
export async function loadOrganizations({ db }: ListDeps, ids: readonly number[]): Promise<OrganizationView[]> {
  const found = await loadOrganizationsById(db, ids);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Organizations that the caller can see: private ones only for members and administrators. */
export function listOrganizations(deps: ListDeps, actor: Actor, page: Page, query: Partial<OrganizationQuery> = {}): Promise<Paged<OrganizationView>> {
  const alwaysIds = isUser(actor) && seesPrivate(actor) ? organizationIdsOf(actor.id) : undefined;
  return pageOrganizations(deps, { ...query, visibilities: openVisibilities(actor), alwaysIds }, page);
}

/**
 * Organizations of an account: all for the account itself and for administrators. Others see those that are visible to them and
 * whose membership is public or in one of their own organizations.
 */
export async function listOrganizationsOf(deps: ListDeps, actor: Actor, accountId: number, page: Page): Promise<Paged<OrganizationView>> {
  const { items, total } = await pageOrganizationIdsOf(deps, actor, accountId, page);
  return { items: await loadOrganizations(deps, items), total };
}

/** Their ids. At most two statements. */
export function pageOrganizationIdsOf(deps: ListDeps, actor: Actor, accountId: number, page: Page): Promise<Paged<number>> {
  const viewerId = isUser(actor) ? actor.id : 0;
  const isPrivy = isSelf(actor, accountId) || isSiteAdmin(actor);
  const filter: OrganizationFilter = {
    visibilities: openVisibilities(actor),
    chosenIds: isPrivy ? organizationIdsOf(accountId) : shownOrganizationIdsOf(accountId, viewerId),
    alwaysIds: seesPrivate(actor) ? organizationIdsOf(viewerId) : undefined,
  };
  return pageIds(deps, filter, page);
}

/** All organizations, for administrators. @param text part of a name; empty: all */
export const listAllOrganizations = (deps: ListDeps, page: Page, text = ""): Promise<Paged<OrganizationView>> =>
  pageOrganizations(deps, { visibilities: ["public", "limited", "private"], text }, page);
