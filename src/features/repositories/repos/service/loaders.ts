import type { Actor } from "../../../../access/actor.ts";
import { atLeast, evaluateRepositoryRight } from "../../../../access/repository.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import type { LacksAccounts, UserView } from "../../../accounts/users/model.ts";
import { isVisibleTo, loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { TeamView } from "../../../organizations/orgs/model.ts";
import type { RepositoryView, TransferView } from "../model.ts";
import { loadTransferTeams } from "../store/transfers.ts";
import { findRepositoryRowEver, loadRepositoryRows, type RepositoryRow } from "../store/views.ts";
import { actorIdOf } from "./find.ts";

/**
 * Repositories as seen by an actor, in the order of `ids`; unreadable ones are omitted. At most three statements for any number, and one
 * more if transfers are pending.
 */
export async function loadRepositoryViews(deps: { readonly db: Reader }, actor: Actor, ids: readonly number[]): Promise<RepositoryView[]> {
  const { accountIds, complete } = await prepareRepositoryViews(deps, actor, ids);
  return complete(await loadUsers(deps, accountIds));
}

/** As {@link loadRepositoryViews}, without loading accounts: at most two statements, and one more if transfers are pending. */
export async function prepareRepositoryViews(deps: { readonly db: Reader }, actor: Actor, ids: readonly number[]): Promise<LacksAccounts<RepositoryView[]>> {
  const rows = await loadRepositoryRows(deps.db, ids, actorIdOf(actor));
  const { accountIds, complete } = await prepareBeside(deps, [...rows.values()]);
  return {
    accountIds,
    complete: (accounts) => {
      const beside = complete(accounts);
      return ids.flatMap((id) => viewOf(id, rows, beside, actor) ?? []);
    },
  };
}

/** The records that rows refer to by id. */
interface Beside {
  readonly accounts: ReadonlyMap<number, UserView>;
  /** Teams of pending transfers, by repository. */
  readonly teams: ReadonlyMap<number, readonly TeamView[]>;
}

async function prepareBeside({ db }: { readonly db: Reader }, rows: readonly RepositoryRow[]): Promise<LacksAccounts<Beside>> {
  const moving = rows.flatMap(({ id, transfer }) => (transfer === undefined ? [] : { id, accountIds: [transfer.doerId, transfer.recipientId] }));
  const movingIds = moving.map(({ id }) => id);
  const teams = movingIds.length === 0 ? new Map() : await loadTransferTeams(db, movingIds);
  const accountIds = [...rows.map(({ ownerId }) => ownerId), ...moving.flatMap((one) => one.accountIds)];
  return { accountIds, complete: (accounts) => ({ accounts, teams }) };
}

/** @throws ForgeError `not_found` if there is none that the actor can read */
export async function getRepository(deps: { readonly db: Reader }, actor: Actor, id: number): Promise<RepositoryView> {
  const [view] = await loadRepositoryViews(deps, actor, [id]);
  if (view === undefined) throw notFound();
  return view;
}

/** For event consumers: also finds deleted repositories that can be restored, without their parents. Two statements. */
export async function findRepositoryEver(deps: { readonly db: Reader }, actor: Actor, id: number): Promise<RepositoryView | undefined> {
  const row = await findRepositoryRowEver(deps.db, id, actorIdOf(actor));
  if (row === undefined) return undefined;
  const { accountIds, complete } = await prepareBeside(deps, [row]);
  return withoutParent(row, complete(await loadUsers(deps, accountIds)), actor);
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
  const right = evaluateRepositoryRight(actor, located.rightInput);
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
