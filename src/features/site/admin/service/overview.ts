import type { Reader } from "../../../../db/db.ts";
import { isTrial } from "../../../../db/trial.ts";
import { countJobs } from "../../../../jobs/store.ts";
import { countEverything } from "../store.ts";
import { listStoreProblems } from "./store-problems.ts";

const shownProblems = { page: 1, limit: 10, offset: 0 };

/** Counts and problems for the overview page. Six statements. */
export async function loadOverview(deps: { readonly db: Reader }) {
  const counts = await countEverything(deps.db);
  const { failed } = await countJobs(deps.db);
  const { items, total } = await listStoreProblems(deps, shownProblems);
  return { counts, failedJobs: failed, problems: items, problemsTotal: total, isTrial: await isTrial(deps.db) };
}
