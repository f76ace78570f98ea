import type { Reader } from "../../../../db/db.ts";
import { findWrongCounts } from "../store/recount.ts";

/** Recounts the stored counts of issues. @returns a line for each wrong count */
export async function checkIssueCounts(deps: { readonly db: Reader }): Promise<readonly string[]> {
  const wrong = await findWrongCounts(deps.db);
  return wrong.map(({ what, id, name, kept, counted }) => `${what} ${id}: ${name} is stored as ${kept}, counted ${counted}`);
}
