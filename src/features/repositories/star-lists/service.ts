import { type Actor, isSelf, isUser, type UserActor } from "../../../access/actor.ts";
import { invalid, notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { checkLength, lengths } from "../../../core/lengths.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Reader } from "../../../db/db.ts";
import type { RepositoryView } from "../repos/model.ts";
import { findRepositoryById } from "../repos/service/find.ts";
import { loadRepositoryViews } from "../repos/service/loaders.ts";
import { getMark } from "../repos/service/stars-and-watches.ts";
import { readableRepositories } from "../repos/service/visible.ts";
import type { StarList, StarListInput } from "./model.ts";
import { countInList, deleteFromList, deleteList, findList, insertIntoList, insertList, listLists, listsOf, pageOfList, updateList } from "./store.ts";

/** Maximum number of lists of an account, and of repositories in each. */
const maxLists = 32;
const maxInList = 1_000;

interface ReadDeps {
  readonly db: Reader;
}

const owns = (actor: Actor, accountId: number): boolean => isUser(actor) && isSelf(actor, accountId);

/** The lists of an account that the caller sees, by name: public ones, and the caller's own. One statement. */
export const listStarLists = (deps: ReadDeps, actor: Actor, accountId: number): Promise<readonly StarList[]> =>
  listLists(deps.db, accountId, owns(actor, accountId) ? "all" : "public");

/** @throws ForgeError `not_found`, also for a private list of another user */
export async function getStarList(deps: ReadDeps, actor: Actor, accountId: number, id: string): Promise<StarList> {
  const list = await findList(deps.db, accountId, readId(id));
  if (list === undefined || (list.isPrivate && !owns(actor, accountId))) throw notFound();
  return list;
}

/** The starred repositories of a list that the caller can read, latest first. */
export async function listRepositoriesOfList(
  deps: ReadDeps,
  actor: Actor,
  of: { readonly listId: number; readonly accountId: number },
  page: Page,
): Promise<Paged<RepositoryView>> {
  const { items, total } = await pageOfList(deps.db, of, readableRepositories(actor), page);
  return { items: await loadRepositoryViews(deps, actor, items), total };
}

/** Ids of the caller's lists that contain repositories, by repository. One statement. */
export const ownListsOf = (deps: ReadDeps, actor: UserActor, repositoryIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<number>>> =>
  listsOf(deps.db, actor.id, repositoryIds);

/** @throws ForgeError `invalid` */
export async function createStarList(deps: { readonly db: Db }, actor: UserActor, input: StarListInput): Promise<void> {
  const checked = check(input);
  await deps.db.tx(async (tx) => {
    if ((await listLists(tx, actor.id, "all")).length >= maxLists)
      throw invalid(`an account can have at most ${maxLists} lists`, { reason: { code: "too_many_items", max: maxLists } });
    await insertList(tx, actor.id, checked);
  });
}

/** @throws ForgeError `not_found`, `invalid` */
export async function editStarList(deps: { readonly db: Db }, actor: UserActor, id: string, input: StarListInput): Promise<void> {
  const checked = check(input);
  await deps.db.tx(async (tx) => {
    if (!(await updateList(tx, actor.id, { id: readId(id), ...checked }))) throw notFound();
  });
}

/** Idempotent. The stars remain. */
export async function removeStarList(deps: { readonly db: Db }, actor: UserActor, id: string): Promise<void> {
  await deps.db.tx((tx) => deleteList(tx, actor.id, readId(id)));
}

/**
 * Adds a starred repository to a list of the caller. Idempotent.
 * @throws ForgeError `not_found` for a missing list or repository, or one without the caller's star; `invalid` for a full list
 */
export async function addToStarList(
  deps: { readonly db: Db },
  actor: UserActor,
  { listId, repositoryId }: { readonly listId: number; readonly repositoryId: number },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const repository = await findRepositoryById({ db: tx }, repositoryId, actor);
    const list = await findList(tx, actor.id, listId);
    if (list === undefined || (await getMark({ db: tx }, actor, repository, "star")) === undefined) throw notFound();
    if ((await countInList(tx, list.id)) >= maxInList)
      throw invalid(`a list can have at most ${maxInList} repositories`, { reason: { code: "too_many_items", max: maxInList } });
    await insertIntoList(tx, list.id, repository.id);
  });
}

/** Idempotent. */
export async function removeFromStarList(
  deps: { readonly db: Db },
  actor: UserActor,
  { listId, repositoryId }: { readonly listId: number; readonly repositoryId: number },
): Promise<void> {
  await deps.db.tx((tx) => deleteFromList(tx, actor.id, listId, repositoryId));
}

/** @throws ForgeError `invalid` */
function check({ name, description, isPrivate }: StarListInput): StarListInput {
  const trimmed = { name: name.trim(), description: description.trim(), isPrivate };
  if (trimmed.name === "") throw invalid("[Name]: Required", { reason: "required" });
  checkLength("Name", trimmed.name, lengths.line);
  checkLength("Description", trimmed.description, lengths.line);
  return trimmed;
}
