import type { Actor } from "../../../access/actor.ts";
import { atLeast, judgeRepository } from "../../../access/repository.ts";
import { notFound } from "../../../core/errors.ts";
import type { Reader } from "../../../db/db.ts";
import type { TeamView } from "../../orgs/view.ts";
import { isVisibleTo, loadUsers } from "../../users/service/accounts.ts";
import type { UserView } from "../../users/view.ts";
import { loadTransferTeams } from "../store/transfers.ts";
import { findRepositoryRowEver, loadRepositoryRows, type RepositoryRow } from "../store/views.ts";
import type { RepositoryView, TransferView } from "../view.ts";
import { actorIdOf } from "./find.ts";

/**
 * Repositories as an actor sees them, in the order of `ids`; those that he cannot read are left out. Three statements at most, whatever their
 * number, and one more where some are about to change owners.
 */
export async function loadRepositoryViews(deps: { readonly db: Reader }, actor: Actor, ids: readonly number[]): Promise<RepositoryView[]> {
  const rows = await loadRepositoryRows(deps.db, ids, actorIdOf(actor));
  const beside = await loadBeside(deps, [...rows.values()]);
  return ids.flatMap((id) => viewOf(id, rows, beside, actor) ?? []);
}

/** What rows name by ids. */
interface Beside {
  readonly accounts: ReadonlyMap<number, UserView>;
  /** Of transfers, by repository. */
  readonly teams: ReadonlyMap<number, readonly TeamView[]>;
}

async function loadBeside(deps: { readonly db: Reader }, rows: readonly RepositoryRow[]): Promise<Beside> {
  const moving = rows.filter(({ transfer }) => transfer !== undefined);
  const [accounts, teams] = await Promise.all([
    loadUsers(deps, [...rows.map(({ ownerId }) => ownerId), ...moving.flatMap(({ transfer }) => (transfer ? [transfer.doerId, transfer.recipientId] : []))]),
    moving.length === 0
      ? new Map()
      : loadTransferTeams(
          deps.db,
          moving.map(({ id }) => id),
        ),
  ]);
  return { accounts, teams };
}

/** @throws ForgeError `not_found` when there is none that the actor can read */
export async function getRepository(deps: { readonly db: Reader }, actor: Actor, id: number): Promise<RepositoryView> {
  const [view] = await loadRepositoryViews(deps, actor, [id]);
  if (view === undefined) throw notFound();
  return view;
}

/** For those who tell of what happened to it: also one that is deleted and not yet gone, without its parent. Two statements. */
export async function findRepositoryEver(deps: { readonly db: Reader }, actor: Actor, id: number): Promise<RepositoryView | undefined> {
  const row = await findRepositoryRowEver(deps.db, id, actorIdOf(actor));
  return row && withoutParent(row, await loadBeside(deps, [row]), actor);
}

function viewOf(id: number, rows: ReadonlyMap<number, RepositoryRow>, beside: Beside, actor: Actor): RepositoryView | undefined {
  const row = rows.get(id);
  const view = row && withoutParent(row, beside, actor);
  const parent = row && row.parentId !== null ? rows.get(row.parentId) : undefined;
  return view && (parent === undefined ? view : { ...view, parent: withoutParent(parent, beside, actor) });
}

function withoutParent(row: RepositoryRow, beside: Beside, actor: Actor): RepositoryView | undefined {
  const { located, ownerId, parentId, ...shown } = row;
  const owner = beside.accounts.get(ownerId);
  const right = judgeRepository(actor, located.facts);
  if (owner === undefined || !atLeast(right.mode, "read")) return undefined;
  return { ...shown, owner, isFork: parentId !== null, parent: undefined, right, transfer: transferOf(row, beside, actor) };
}

function transferOf({ id, transfer }: RepositoryRow, { accounts, teams }: Beside, actor: Actor): TransferView | undefined {
  if (transfer === undefined) return undefined;
  const shown = (accountId: number): UserView | null => {
    const account = accounts.get(accountId);
    return account !== undefined && isVisibleTo(account, actor) ? account : null;
  };
  return { doer: shown(transfer.doerId), recipient: shown(transfer.recipientId), teams: teams.get(id) ?? [] };
}
