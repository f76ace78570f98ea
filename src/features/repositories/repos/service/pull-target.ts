import type { Reader } from "../../../../db/db.ts";
import { hasPullInto } from "../store/refs-state.ts";

/** Whether a branch is the base of open pull requests, and thus cannot be deleted. One statement. */
export const isPullTarget = (db: Reader, repoId: number, branch: string): Promise<boolean> => hasPullInto(db, repoId, branch);
