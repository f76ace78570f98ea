import type { Tx } from "../../../db/db.ts";
import { deleteAudience, deleteAudienceOf } from "../store/audience.ts";
import { deleteCollaborationsOf } from "../store/collaborators.ts";

/** Ends an account's watches and stars, inside the transaction that ends the account, so that repositories stop counting them. */
export const forgetAudience = (tx: Tx, accountId: number): Promise<void> => deleteAudience(tx, accountId);

/** Ends an account's watches, stars and collaborations on what an owner has, inside the caller's transaction. */
export async function keepAway(tx: Tx, ownerId: number, accountId: number): Promise<void> {
  await deleteAudienceOf(tx, ownerId, accountId);
  await deleteCollaborationsOf(tx, ownerId, accountId);
}
