import { type Actor, isSiteAdmin, isUser, seesPrivate } from "../../../../access/actor.ts";
import type { Found, OrganizationSubject } from "../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { findFormerName } from "../../../accounts/users/service/accounts.ts";
import { type LocatedOrganization, locateOrganization } from "../store.ts";

/** Public organizations are visible to everyone, limited ones to signed-in users, private ones to members, and all to site administrators. */
export const isVisibleOrganization = (located: LocatedOrganization, actor: Actor): boolean =>
  located.visibility === "public" || isSiteAdmin(actor) || located.isMember || (located.visibility === "limited" && isUser(actor) && !actor.isRestricted);

/** An organization by its current or a previous name. @throws ForgeError `not_found` if the caller can see none */
export async function findOrganization(deps: { readonly db: Reader }, name: string, actor: Actor): Promise<Found<OrganizationSubject>> {
  const actorId = isUser(actor) ? actor.id : 0;
  const located = await locateOrganization(deps.db, name, actorId);
  if (located === undefined || !isVisibleOrganization(located, actor)) {
    const movedTo = await findFormerName(deps, name);
    const moved = movedTo === undefined ? undefined : await locateOrganization(deps.db, movedTo, actorId);
    // A redirect would reveal that a hidden organization exists, and its current name. A hidden one gets the same response as a missing
    // one.
    if (moved !== undefined && isVisibleOrganization(moved, actor)) return { movedTo: moved.name, isAccountRenamed: true };
    throw notFound("GetOrgByName", { reason: "account_not_found", details: [`user redirect does not exist [name: ${name}]`] });
  }
  if (isUser(actor) && !seesPrivate(actor) && located.visibility === "private") throw forbidden("token scope is limited to public orgs");
  return { subject: { ...located, isOwner: located.isOwner || isSiteAdmin(actor) } };
}
