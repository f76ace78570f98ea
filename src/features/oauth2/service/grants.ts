import type { UserActor } from "../../../access/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Reader } from "../../../db/db.ts";
import { deleteGrant, pageGrants } from "../store/grants.ts";
import type { GrantView } from "../view.ts";

/** What the caller has allowed applications. */
export const listGrants = (deps: { readonly db: Reader }, actor: UserActor, page: Page): Promise<Paged<GrantView>> => pageGrants(deps.db, actor.id, page);

/** Takes back what the caller has allowed an application: its tokens end at once. @throws ForgeError `not_found` */
export async function revokeGrant(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  const revoked = await deps.db.tx((tx) => deleteGrant(tx, actor.id, id));
  if (revoked === undefined) throw notFound();
}
