import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Db } from "../../../../../db/db.ts";
import type { LabelView } from "../../../labels/model.ts";
import { labelsByIds } from "../../../labels/service/resolve.ts";
import { maxCounted } from "../counted.ts";
import { countOpenIssues, pageLabelsByUse } from "../store/label-counts.ts";

/** The numbers of open issues by label, at most {@link maxCounted} each; empty for readers who cannot read issues. One statement. */
export async function openIssuesOfLabels(
  { db }: { readonly db: Db },
  repository: RepositorySubject,
  labelIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (labelIds.length === 0 || !readsIssuesOf(repository)) return new Map();
  const counts = await countOpenIssues(db, repository.id, labelIds, maxCounted);
  return new Map(counts.map(({ labelId, count }) => [labelId, count]));
}

/** A page of a repository's labels, those with the most open issues first, for readers of issues. Three statements. */
export async function listLabelsByUse({ db }: { readonly db: Db }, { id }: RepositorySubject, page: Page): Promise<Paged<LabelView>> {
  const { items, total } = await pageLabelsByUse(db, id, maxCounted, page);
  const labels = await labelsByIds(db, items);
  return { items: items.flatMap((labelId) => labels.get(labelId) ?? []), total };
}

export const readsIssuesOf = ({ right }: RepositorySubject): boolean => atLeast(right.unit("repo.issues"), "read");
