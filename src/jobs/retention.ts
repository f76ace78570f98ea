import type { Db } from "../db/db.ts";
import { deleteFailedBefore } from "./store.ts";

/** Deletes failed jobs created before the given time. For a daily schedule. @returns the number of deleted jobs */
export const pruneFailedJobs = (deps: { readonly db: Db }, createdBeforeMs: number): Promise<number> =>
  deps.db.tx((tx) => deleteFailedBefore(tx, createdBeforeMs));
