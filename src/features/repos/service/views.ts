import type { Actor } from "../../../access/actor.ts";
import { atLeast, judgeRepository } from "../../../access/repository.ts";
import { notFound } from "../../../core/errors.ts";
import type { Reader } from "../../../db/db.ts";
import { loadUsers } from "../../users/service/accounts.ts";
import type { UserView } from "../../users/view.ts";
import { loadRepositoryRows, type RepositoryRow } from "../store/views.ts";
import type { RepositoryView } from "../view.ts";
import { actorIdOf } from "./find.ts";

/**
 * Repositories as an actor sees them, in the order of `ids`; those that he cannot read are left out. Three statements at most, whatever their number.
 */
export async function loadRepositoryViews(deps: { readonly db: Reader }, actor: Actor, ids: readonly number[]): Promise<RepositoryView[]> {
  const rows = await loadRepositoryRows(deps.db, ids, actorIdOf(actor));
  const owners = await loadUsers(
    deps,
    [...rows.values()].map((row) => row.ownerId),
  );
  return ids.flatMap((id) => viewOf(id, rows, owners, actor) ?? []);
}

/** @throws ForgeError `not_found` when there is none that the actor can read */
export async function getRepository(deps: { readonly db: Reader }, actor: Actor, id: number): Promise<RepositoryView> {
  const [view] = await loadRepositoryViews(deps, actor, [id]);
  if (view === undefined) throw notFound();
  return view;
}

function viewOf(id: number, rows: ReadonlyMap<number, RepositoryRow>, owners: ReadonlyMap<number, UserView>, actor: Actor): RepositoryView | undefined {
  const row = rows.get(id);
  const view = row && withoutParent(row, owners, actor);
  const parent = row && row.parentId !== null ? rows.get(row.parentId) : undefined;
  return view && (parent === undefined ? view : { ...view, parent: withoutParent(parent, owners, actor) });
}

function withoutParent(row: RepositoryRow, owners: ReadonlyMap<number, UserView>, actor: Actor): RepositoryView | undefined {
  const { located, ownerId, parentId, ...shown } = row;
  const owner = owners.get(ownerId);
  const right = judgeRepository(actor, located.facts);
  if (owner === undefined || !atLeast(right.mode, "read")) return undefined;
  return { ...shown, owner, isFork: parentId !== null, parent: undefined, right };
}
