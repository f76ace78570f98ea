import type { UserActor } from "../../../../access/actor.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { GrantView } from "../model.ts";
import { deleteGrant, findGrantView, pageGrants } from "../store/grants.ts";

/** The caller's grants. */
export const listGrants = (deps: { readonly db: Reader }, actor: UserActor, page: Page): Promise<Paged<GrantView>> => pageGrants(deps.db, actor.id, page);

/** Revokes one of the caller's grants; its tokens stop working at once. @throws ForgeError `not_found` */
export async function revokeGrant(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const grant = await findGrantView(tx, actor.id, id);
    if (grant === undefined) throw notFound();
    await deleteGrant(tx, id);
    const { application } = grant;
    const event = { accountId: actor.id, name: actor.name, applicationId: application.id, applicationName: application.name };
    await recordEvent(tx, "oauth2_grant.revoked", event, { by: actor });
  });
}
