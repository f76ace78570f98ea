import type { Reader } from "../../../../db/db.ts";
import { findWrongCounts } from "../store/recount.ts";

/** Recounts what is kept of issues. @returns a line for each count that is not true */
export async function checkIssueCounts(deps: { readonly db: Reader }): Promise<readonly string[]> {
  const wrong = await findWrongCounts(deps.db);
  return wrong.map(({ what, id, name, kept, counted }) => `${what} ${id}: ${name} says ${kept}, and there are ${counted}`);
}
