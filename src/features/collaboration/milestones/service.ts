import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { checkLength, lengths } from "../../../core/lengths.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import { recordEvent } from "../../../events/events.ts";
import type { MilestoneEvent } from "../../../events/planning-events.ts";
import type { MilestoneEdit, MilestoneFilter, MilestoneView, NewMilestoneInput } from "./model.ts";
import {
  addToCounts,
  deleteMilestone,
  findMilestone,
  insertMilestone,
  listTitles,
  loadMilestones,
  type MilestoneInput,
  pageMilestones,
  updateMilestone,
} from "./store.ts";

export const listMilestones = (
  deps: { readonly db: Reader },
  repository: Pick<RepositorySubject, "id">,
  filter: MilestoneFilter,
  page: Page,
): Promise<Paged<MilestoneView>> => pageMilestones(deps.db, repository.id, filter, page);

/** Titles of the open milestones of these repositories, each once. One statement. */
export const milestoneTitles = (db: Reader, repoIds: readonly number[], limit: number): Promise<readonly string[]> => listTitles(db, repoIds, limit);

/**
 * Finds a milestone by id, or by title if the repository has no milestone with that id.
 * @throws ForgeError `not_found`, also for a milestone of another repository
 */
export async function getMilestone(deps: { readonly db: Reader }, repository: Pick<RepositorySubject, "id">, idOrTitle: string): Promise<MilestoneView> {
  const milestone = await findMilestone(deps.db, repository.id, { id: readId(idOrTitle), title: idOrTitle });
  if (milestone === undefined) throw notFound();
  return milestone;
}

/** The oldest milestone of a repository with this title. */
export const findMilestoneTitled = (db: Reader, repository: Pick<RepositorySubject, "id">, title: string): Promise<MilestoneView | undefined> =>
  findMilestone(db, repository.id, { id: 0, title });

/** Creates a milestone. The title may be empty and need not be unique. @throws ForgeError `invalid` */
export async function createMilestone(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: Pick<RepositorySubject, "id">,
  input: NewMilestoneInput,
): Promise<MilestoneView> {
  checkTexts(input);
  const repoId = repository.id;
  return deps.db.tx(async (tx) => {
    const { nowMs } = tx;
    const milestone: MilestoneInput = { ...input, closedMs: input.isClosed ? nowMs : null };
    const id = await insertMilestone(tx, repoId, milestone);
    await recordEvent(tx, "milestone.created", { repoId, milestoneId: id, title: input.title }, { repoId, actorId: actor.id });
    return { ...milestone, id, repoId, openIssuesCount: 0, closedIssuesCount: 0, createdMs: nowMs, updatedMs: nowMs };
  });
}

/** @throws ForgeError `not_found`, `invalid` */
export async function editMilestone(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: Pick<RepositorySubject, "id">,
  idOrTitle: string,
  edit: MilestoneEdit,
): Promise<MilestoneView> {
  return deps.db.tx(async (tx) => {
    const present = await getMilestone({ db: tx }, repository, idOrTitle);
    const isClosed = edit.isClosed ?? present.isClosed;
    const changed: MilestoneView = {
      ...present,
      title: edit.title === "" ? present.title : edit.title,
      description: edit.description ?? present.description,
      isClosed,
      dueMs: edit.dueMs,
      closedMs: isClosed ? (present.closedMs ?? tx.nowMs) : null,
      updatedMs: tx.nowMs,
    };
    checkTexts(changed);
    await updateMilestone(tx, present.id, changed);
    await recordEdit(tx, actor, present, changed);
    return changed;
  });
}

async function recordEdit(tx: Tx, actor: UserActor, present: MilestoneView, changed: MilestoneView): Promise<void> {
  const context = { repoId: present.repoId, actorId: actor.id };
  const isEdited = changed.title !== present.title || changed.description !== present.description || changed.dueMs !== present.dueMs;
  if (isEdited) await recordEvent(tx, "milestone.updated", { ...eventOf(changed), formerTitle: present.title }, context);
  if (changed.isClosed !== present.isClosed) await recordEvent(tx, changed.isClosed ? "milestone.closed" : "milestone.reopened", eventOf(changed), context);
}

/** Deletes a milestone and removes it from its issues. @throws ForgeError `not_found` */
export async function removeMilestone(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: Pick<RepositorySubject, "id">,
  idOrTitle: string,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const milestone = await getMilestone({ db: tx }, repository, idOrTitle);
    await deleteMilestone(tx, milestone.id);
    await recordEvent(tx, "milestone.deleted", eventOf(milestone), { repoId: milestone.repoId, actorId: actor.id });
  });
}

/** Milestones by id, for lists of their issues. One statement. */
export const milestonesByIds = async (db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, MilestoneView>> =>
  ids.length === 0 ? new Map() : loadMilestones(db, ids);

/**
 * Updates the counts of a milestone in the transaction that adds, removes, closes or reopens an issue or pull request.
 * Closing one is `{ open: -1, closed: 1 }`. One statement.
 */
export const countInMilestone = (tx: Tx, milestoneId: number, by: { readonly open: number; readonly closed: number }): Promise<void> =>
  addToCounts(tx, milestoneId, by);

const eventOf = ({ repoId, id, title }: MilestoneView): MilestoneEvent => ({ repoId, milestoneId: id, title });

function checkTexts({ title, description }: Pick<MilestoneView, "title" | "description">): void {
  checkLength("Title", title, lengths.line);
  checkLength("Description", description, lengths.milestoneDescription);
}

/**
 * Inserts milestones imported with a new repository. Importing the issues updates the counts. @returns their ids, in the same order
 */
export async function importMilestones(
  tx: Tx,
  repoId: number,
  milestones: readonly (NewMilestoneInput & { readonly closedMs: number | null; readonly createdMs: number })[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const { createdMs, ...input } of milestones) ids.push(await insertMilestone(tx, repoId, input, createdMs));
  return ids;
}
