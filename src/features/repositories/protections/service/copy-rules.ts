import type { Tx } from "../../../../db/db.ts";
import { copyBranchRules } from "../store.ts";

/**
 * Gives a new repository the rules for branches of another one, inside the caller's transaction. Whom they name by user or team has no rights
 * here by that: the lists stay behind, and with them what only those on a list may do.
 */
export const copyRules = (tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> => copyBranchRules(tx, fromRepoId, toRepoId);
