import type { UserActor } from "../../../access/actor.ts";
import { invalid, notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { checkLength, lengths } from "../../../core/lengths.ts";
import type { Db, Reader } from "../../../db/db.ts";
import { type SavedSearch, type SearchInput, searchKinds } from "./model.ts";
import { deleteSaved, findSaved, insertSaved, listSaved, updateSaved } from "./store.ts";

/** Maximum number of searches per account. */
const maxSearches = 50;

/** The caller's searches by name. One statement. */
export const listSearches = (deps: { readonly db: Reader }, actor: UserActor): Promise<readonly SavedSearch[]> => listSaved(deps.db, actor.id);

/** @throws ForgeError `not_found`, also for a search of another user */
export async function getSearch(deps: { readonly db: Reader }, actor: UserActor, id: string): Promise<SavedSearch> {
  const search = await findSaved(deps.db, actor.id, readId(id));
  if (search === undefined) throw notFound();
  return search;
}

/** @throws ForgeError `invalid` */
export async function createSearch(deps: { readonly db: Db }, actor: UserActor, input: SearchInput): Promise<void> {
  const checked = check(input);
  await deps.db.tx(async (tx) => {
    if ((await listSaved(tx, actor.id)).length >= maxSearches)
      throw invalid(`an account can have at most ${maxSearches} saved searches`, { reason: { code: "too_many_items", max: maxSearches } });
    await insertSaved(tx, actor.id, checked);
  });
}

/** @throws ForgeError `not_found`, `invalid` */
export async function editSearch(deps: { readonly db: Db }, actor: UserActor, id: string, input: SearchInput): Promise<void> {
  const checked = check(input);
  await deps.db.tx(async (tx) => {
    if (!(await updateSaved(tx, actor.id, { id: readId(id), ...checked }))) throw notFound();
  });
}

/** Idempotent. */
export async function removeSearch(deps: { readonly db: Db }, actor: UserActor, id: string): Promise<void> {
  await deps.db.tx((tx) => deleteSaved(tx, actor.id, readId(id)));
}

/** @throws ForgeError `invalid` */
function check({ kind, name, query }: SearchInput): SearchInput {
  const trimmed = { kind, name: name.trim(), query: query.trim() };
  if (!searchKinds.includes(kind)) throw invalid(`[Kind]: one of ${searchKinds.join(", ")}`, { reason: "choice_required" });
  if (trimmed.name === "") throw invalid("[Name]: Required", { reason: "required" });
  if (trimmed.query === "") throw invalid("[Query]: Required", { reason: "required" });
  checkLength("Name", trimmed.name, lengths.line);
  checkLength("Query", trimmed.query, lengths.path);
  return trimmed;
}
