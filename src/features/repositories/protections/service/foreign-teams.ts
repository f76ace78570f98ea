import type { Tx } from "../../../../db/db.ts";
import { deleteForeignTeams } from "../store.ts";

/** Removes teams of other organizations from a repository's rules, in the transaction that changes its owner. */
export const dropForeignTeams = (tx: Tx, repoId: number, ownerId: number): Promise<void> => deleteForeignTeams(tx, repoId, ownerId);
