import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Db } from "../../../../../db/db.ts";
import { maxCounted } from "../counted.ts";
import { countOpenIssues } from "../store/label-counts.ts";

/** The numbers of open issues by label, at most {@link maxCounted} each; empty for readers who cannot read issues. One statement. */
export async function openIssuesOfLabels(
  { db }: { readonly db: Db },
  { id, right }: RepositorySubject,
  labelIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (labelIds.length === 0 || !atLeast(right.unit("repo.issues"), "read")) return new Map();
  const counts = await countOpenIssues(db, id, labelIds, maxCounted);
  return new Map(counts.map(({ labelId, count }) => [labelId, count]));
}
