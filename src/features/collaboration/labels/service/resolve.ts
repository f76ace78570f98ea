import type { Reader } from "../../../../db/db.ts";
import type { LabelReach, LabelView } from "../model.ts";
import { listGivable, listReachableByIds, listReachableByNames, loadLabels } from "../store.ts";

/** More labels than this nobody looks through. */
const maxGivable = 200;

/** The labels that issues of a repository may be given, its own and its organization's, by name. One statement. */
export const givableLabels = (db: Reader, reach: LabelReach): Promise<readonly LabelView[]> => listGivable(db, reach, maxGivable);

/**
 * The labels of some ids that issues of a repository may bear, in the order asked for; unknown and foreign ones are left out. One statement.
 */
export async function resolveLabelsByIds(db: Reader, reach: LabelReach, ids: readonly number[]): Promise<readonly LabelView[]> {
  if (ids.length === 0) return [];
  const found = new Map((await listReachableByIds(db, reach, ids)).map((label) => [label.id, label]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}

/**
 * The same by names. Of several that bear a name it is the repository's own before the organization's, and the oldest. One statement.
 */
export async function resolveLabelsByNames(db: Reader, reach: LabelReach, names: readonly string[]): Promise<readonly LabelView[]> {
  if (names.length === 0) return [];
  const found = new Map<string, LabelView>();
  for (const label of await listReachableByNames(db, reach, names)) if (!found.has(label.name)) found.set(label.name, label);
  return [...new Set(names)].flatMap((name) => found.get(name) ?? []);
}

/** Labels by their ids, whosoever they are: for lists of what bears them. One statement. */
export const labelsByIds = async (db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, LabelView>> =>
  ids.length === 0 ? new Map() : loadLabels(db, ids);
