import type { Tx } from "../../../../db/db.ts";
import { copyBranchRules } from "../store.ts";

/**
 * Copies the branch rules of another repository to a new one, within the caller's transaction. The lists of users and teams are not
 * copied, because they would grant permissions here, and neither are the settings that require a list.
 */
export const copyRules = (tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> => copyBranchRules(tx, fromRepoId, toRepoId);
