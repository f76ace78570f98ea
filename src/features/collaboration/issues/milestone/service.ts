import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden } from "../../../../core/errors.ts";
import { type Move, moveInList } from "../../../../core/move-in-list.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { getMilestone } from "../../milestones/service.ts";
import { canReadIssue, canWriteIssue } from "../rights.ts";
import { requireIssue } from "../service/find.ts";
import { loadIssuesInOrder, onlyLocation } from "../service/loaders.ts";
import type { MilestonePlan } from "./model.ts";
import { countOfMilestone, listIdsOfMilestone, type ReadableKinds, saveOrder } from "./store.ts";

/** Most issues that are put into an order. */
const maxOrdered = 1_000;

const readableKinds = (repository: RepositorySubject): ReadableKinds =>
  ([0, 1] as const).filter((isPull) => canReadIssue(repository, { isPull: isPull === 1 }));

/** Whether a caller can order the issues of milestones. */
export const canOrder = (repository: RepositorySubject): boolean =>
  !repository.isArchived && (canWriteIssue(repository, { isPull: false }) || canWriteIssue(repository, { isPull: true }));

/** A milestone with a page of its issues and pull requests. @throws ForgeError `not_found` */
export async function loadMilestonePlan(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  id: string,
  { isClosed, page }: { readonly isClosed: boolean; readonly page: Page },
): Promise<MilestonePlan> {
  const milestone = await getMilestone(deps, repository, id);
  const kinds = readableKinds(repository);
  const counts = await countOfMilestone(deps.db, milestone.id, kinds);
  const ids = await listIdsOfMilestone(deps.db, milestone.id, kinds, { isClosed, ...page });
  return { milestone, counts, issues: await loadIssuesInOrder(deps, ids, onlyLocation(repository)) };
}

/**
 * Moves an open issue or pull request within its milestone.
 * @throws ForgeError `not_found`, `forbidden`; `conflict` if it is no longer an open issue of the milestone
 */
export async function moveInMilestone(
  deps: { readonly db: Db },
  repository: RepositorySubject,
  id: string,
  { number, to }: { readonly number: number; readonly to: Move },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const milestone = await getMilestone({ db: tx }, repository, id);
    const issue = await requireIssue({ db: tx }, repository, number);
    if (!canWriteIssue(repository, issue)) throw forbidden("write access to issues is required");
    // All kinds, so that the order does not depend on the caller.
    const ids = await listIdsOfMilestone(tx, milestone.id, [0, 1], { isClosed: false, limit: maxOrdered, offset: 0 });
    if (!ids.includes(issue.id)) throw conflict("this is no open issue of the milestone any more", { reason: "changed_meanwhile" });
    await saveOrder(tx, milestone.id, moveInList(ids, issue.id, to));
  });
}
