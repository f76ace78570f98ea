import type { Reader } from "../../../../db/db.ts";
import type { LabelReach, LabelReaches, LabelView } from "../model.ts";
import { listGivable, listNames, listReachableByIds, listReachableByNames, loadLabels } from "../store.ts";

/** Upper bound for the label selector. */
const maxGivable = 200;

/** Labels available to issues of a repository, its own and its organization's, by name. One statement. */
export const givableLabels = (db: Reader, reach: LabelReach): Promise<readonly LabelView[]> => listGivable(db, reach, maxGivable);

/** Names and colors of the labels that issues of any of these repositories can have. One statement. */
export const labelNames = (db: Reader, reaches: LabelReaches, limit: number): Promise<readonly Pick<LabelView, "name" | "color">[]> =>
  listNames(db, reaches, limit);

/** Available labels with these ids, in the requested order. Leaves out unknown ids and labels of other owners. One statement. */
export async function resolveLabelsByIds(db: Reader, reach: LabelReach, ids: readonly number[]): Promise<readonly LabelView[]> {
  if (ids.length === 0) return [];
  const found = new Map((await listReachableByIds(db, reach, ids)).map((label) => [label.id, label]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}

/**
 * The same by names. Among labels with the same name, repository labels come before organization labels, then the oldest wins. One
 * statement.
 */
export async function resolveLabelsByNames(db: Reader, reach: LabelReach, names: readonly string[]): Promise<readonly LabelView[]> {
  if (names.length === 0) return [];
  const found = new Map<string, LabelView>();
  for (const label of await listReachableByNames(db, reach, names)) if (!found.has(label.name)) found.set(label.name, label);
  return [...new Set(names)].flatMap((name) => found.get(name) ?? []);
}

/** Labels by id, regardless of their owner, for lists of labelled items. One statement. */
export const labelsByIds = async (db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, LabelView>> =>
  ids.length === 0 ? new Map() : loadLabels(db, ids);
