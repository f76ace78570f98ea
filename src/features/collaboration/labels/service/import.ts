import type { Tx } from "../../../../db/db.ts";
import type { NewLabelInput } from "../model.ts";
import { insertLabels } from "../store.ts";

const batch = 200;

/** Inserts labels imported with a new repository. @returns their ids, in the same order */
export async function importLabels(tx: Tx, repoId: number, labels: readonly NewLabelInput[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let at = 0; at < labels.length; at += batch) ids.push(...(await insertLabels(tx, { repoId }, labels.slice(at, at + batch))));
  return ids;
}
