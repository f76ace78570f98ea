import type { Tx } from "../../../../db/db.ts";
import { dropOutsidersOfOwner, insertTeamWatches } from "../store/stars-and-watches.ts";

/**
 * Removes watches and stars on an owner's repositories by users without access, within the transaction that revokes it.
 * @param accountId only of this account; if omitted, of all accounts
 */
export const removeMarksWithoutAccess = (tx: Tx, ownerId: number, accountId?: number): Promise<void> => dropOutsidersOfOwner(tx, ownerId, accountId);

/** Makes a team's members watch a repository, within the transaction that adds it to the team. */
export const watchAsTeam = (tx: Tx, teamId: number, repoId: number): Promise<void> => insertTeamWatches(tx, teamId, repoId);
