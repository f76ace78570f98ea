import type { Reader } from "../../../../db/db.ts";
import { hasPullInto } from "../store/refs-state.ts";

/** Whether open pull requests are to be merged into a branch: then it stays. One statement. */
export const isPullTarget = (db: Reader, repoId: number, branch: string): Promise<boolean> => hasPullInto(db, repoId, branch);
