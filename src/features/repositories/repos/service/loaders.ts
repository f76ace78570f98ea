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
  return toView(row, complete(await loadUsers(deps, accountIds)), actor, undefined);
}

function viewOf(id: number, rows: ReadonlyMap<number, RepositoryRow>, beside: Beside, actor: Actor): RepositoryView | undefined {
  const row = rows.get(id);
  const parent = row && row.parentId !== null ? rows.get(row.parentId) : undefined;
  return row && toView(row, beside, actor, parent && toView(parent, beside, actor, undefined));
}

/** One literal: with the rest of the row in a spread, a view takes ten times as long to make. */
function toView(row: RepositoryRow, beside: Beside, actor: Actor, parent: RepositoryView | undefined): RepositoryView | undefined {
  const owner = beside.accounts.get(row.ownerId);
  const right = evaluateRepositoryRight(actor, row.located.rightInput);
  if (owner === undefined || !atLeast(right.mode, "read")) return undefined;
  return {
    id: row.id,
    owner,
    name: row.name,
    description: row.description,
    website: row.website,
    originalUrl: row.originalUrl,
    isPrivate: row.isPrivate,
    isTemplate: row.isTemplate,
    isArchived: row.isArchived,
    isMirror: row.isMirror,
    mirror: row.mirror,
    isEmpty: row.isEmpty,
    isFork: row.parentId !== null,
    parent,
    settings: row.settings,
    objectFormat: row.objectFormat,
    defaultBranch: row.defaultBranch,
    trustModel: row.trustModel,
    avatar: row.avatar,
    preview: row.preview,
    language: row.language,
    licenses: row.licenses,
    topics: row.topics,
    sizeBytes: row.sizeBytes,
    starsCount: row.starsCount,
    forksCount: row.forksCount,
    watchersCount: row.watchersCount,
    isStarred: row.isStarred,
    watching: row.watching,
    branchesCount: row.branchesCount,
    openIssuesCount: row.openIssuesCount,
    openPullsCount: row.openPullsCount,
    releasesCount: row.releasesCount,
    createdMs: row.createdMs,
    updatedMs: row.updatedMs,
    archivedMs: row.archivedMs,
    transfer: transferOf(row, beside, actor),
    right,
  };
}

function transferOf({ id, transfer }: RepositoryRow, { accounts, teams }: Beside, actor: Actor): TransferView | undefined {
  if (transfer === undefined) return undefined;
  const shown = (accountId: number): UserView | null => {
    const account = accounts.get(accountId);
    return account !== undefined && isVisibleTo(account, actor) ? account : null;
  };
  return { doer: shown(transfer.doerId), recipient: shown(transfer.recipientId), teams: teams.get(id) ?? [] };
}
