import type { Db } from "../db/db.ts";
import { deleteFailedBefore } from "./store.ts";

/** Forgets jobs that were put aside and that were made before a time. Meant for a daily schedule. @returns how many went */
export const pruneFailedJobs = (deps: { readonly db: Db }, createdBeforeMs: number): Promise<number> =>
  deps.db.tx((tx) => deleteFailedBefore(tx, createdBeforeMs));
