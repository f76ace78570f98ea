import { type Actor, isSiteAdmin, isUser } from "../../../access/actor.ts";
import type { Found, OrganizationSubject } from "../../../access/subjects.ts";
import { notFound } from "../../../core/errors.ts";
import type { Reader } from "../../../db/db.ts";
import { findFormerName } from "../../users/service/accounts.ts";
import { type LocatedOrganization, locateOrganization } from "../store.ts";

/** Public ones to everybody, limited ones to whoever has signed in, private ones to members; all to site administrators. */
export const isVisibleOrganization = (located: LocatedOrganization, actor: Actor): boolean =>
  located.visibility === "public" || isSiteAdmin(actor) || located.isMember || (located.visibility === "limited" && isUser(actor) && !actor.isRestricted);

/**
 * An organization by its present or a former name.
 * @throws ForgeError `not_found` when there is none that the caller can see
 */
export async function findOrganization(deps: { readonly db: Reader }, name: string, actor: Actor): Promise<Found<OrganizationSubject>> {
  const located = await locateOrganization(deps.db, name, isUser(actor) ? actor.id : 0);
  if (located === undefined) {
    const movedTo = await findFormerName(deps, name);
    if (movedTo !== undefined) return { movedTo };
    throw notFound("GetOrgByName");
  }
  if (!isVisibleOrganization(located, actor)) throw notFound("HasOrgOrUserVisible");
  return { subject: { ...located, isOwner: located.isOwner || isSiteAdmin(actor) } };
}
