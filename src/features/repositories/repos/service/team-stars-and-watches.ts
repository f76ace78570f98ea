import type { Tx } from "../../../../db/db.ts";
import { dropOutsidersOfOwner, insertTeamWatches } from "../store/stars-and-watches.ts";

/**
 * Ends watches and stars on an owner's repositories by those who can no longer read them, inside the transaction that takes the right away.
 * @param accountId only this account's; absent: everybody's
 */
export const removeMarksWithoutAccess = (tx: Tx, ownerId: number, accountId?: number): Promise<void> => dropOutsidersOfOwner(tx, ownerId, accountId);

/** A team's members watch a repository from when it is given to the team, inside the transaction that gives it. */
export const watchAsTeam = (tx: Tx, teamId: number, repoId: number): Promise<void> => insertTeamWatches(tx, teamId, repoId);
