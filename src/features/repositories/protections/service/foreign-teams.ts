import type { Tx } from "../../../../db/db.ts";
import { deleteForeignTeams } from "../store.ts";

/** Takes teams of others than the owner off the rules of a repository, inside the transaction in which it changes owners. */
export const dropForeignTeams = (tx: Tx, repoId: number, ownerId: number): Promise<void> => deleteForeignTeams(tx, repoId, ownerId);
