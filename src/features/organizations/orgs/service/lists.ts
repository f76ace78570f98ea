import { type Actor, isSelf, isSiteAdmin, isUser, seesPrivate } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import type { OrganizationView } from "../model.ts";
import { type OrganizationFilter, type OrganizationSort, pageOrganizations } from "../store.ts";

export interface ListDeps {
  readonly db: Reader;
}

/** Visibilities that a caller sees without being a member. */
function openVisibilities(actor: Actor): readonly OrganizationView["visibility"][] {
  if (!isUser(actor) || !seesPrivate(actor)) return ["public"];
  if (isSiteAdmin(actor)) return ["public", "limited", "private"];
  return actor.isRestricted ? ["public"] : ["public", "limited"];
}

export interface OrganizationQuery {
  /** Part of a name; empty: all. */
  readonly text: string;
  readonly sort: OrganizationSort;
}

/** Organizations that the caller can see: private ones only for members and administrators. */
export function listOrganizations(deps: ListDeps, actor: Actor, page: Page, query?: OrganizationQuery): Promise<Paged<OrganizationView>> {
  const filter: OrganizationFilter = {
    visibilities: openVisibilities(actor),
    ...(isUser(actor) && seesPrivate(actor) && { viewerId: actor.id }),
    ...(query !== undefined && { text: query.text.trim(), sort: query.sort }),
  };
  return pageOrganizations(deps.db, filter, page);
}

/**
 * Organizations of an account: all for the account itself and for administrators. Others see those that are visible to them and
 * whose membership is public or in one of their own organizations.
 */
export function listOrganizationsOf(deps: ListDeps, actor: Actor, accountId: number, page: Page): Promise<Paged<OrganizationView>> {
  const viewerId = isUser(actor) ? actor.id : 0;
  const isPrivy = isSelf(actor, accountId) || isSiteAdmin(actor);
  const filter: OrganizationFilter = {
    visibilities: openVisibilities(actor),
    member: { accountId, hidden: isPrivy ? "all" : { viewerId } },
    ...(seesPrivate(actor) && { viewerId }),
  };
  return pageOrganizations(deps.db, filter, page);
}

/** All organizations, for administrators. @param text part of a name; empty: all */
export const listAllOrganizations = (deps: ListDeps, page: Page, text = ""): Promise<Paged<OrganizationView>> =>
  pageOrganizations(deps.db, { visibilities: ["public", "limited", "private"], text: text.trim() }, page);
