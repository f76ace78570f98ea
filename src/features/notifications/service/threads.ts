import { isSiteAdmin, type UserActor } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import { forbidden, notFound } from "../../../core/errors.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Reader } from "../../../db/db.ts";
import { unitOf } from "../../issues/rights.ts";
import { loadRepositoryViews } from "../../repos/service/views.ts";
import { readableRepositories } from "../../repos/service/visible.ts";
import { countThreads, findThread, loadThreads, markThread, markThreads, pageThreads, type ThreadScope } from "../store/threads.ts";
import type { ThreadFilter, ThreadRow, ThreadStatus, ThreadView } from "../view.ts";

/** More threads than this are marked all the same, and only so many of them told. */
const maxTold = 200;

const scopeOf = (actor: UserActor): ThreadScope => ({ accountId: actor.id, readable: readableRepositories(actor) });

/** The caller's news of what he can read at the moment, the latest first. At most five statements. */
export async function listThreads(deps: { readonly db: Reader }, actor: UserActor, filter: ThreadFilter, page: Page): Promise<Paged<ThreadView>> {
  const { items, total } = await pageThreads(deps.db, scopeOf(actor), filter, page);
  return { total, items: await withRepositories(deps, actor, items) };
}

/** How many threads have news. */
export const countNews = (deps: { readonly db: Reader }, actor: UserActor): Promise<number> =>
  countThreads(deps.db, scopeOf(actor), { statuses: ["unread"], subjectTypes: [] });

/**
 * A thread of the caller's; administrators see everybody's.
 * @throws ForgeError `not_found` when there is none, or it is about what the caller can no longer read; `forbidden` for somebody else's
 */
export async function getThread(deps: { readonly db: Reader }, actor: UserActor, id: number): Promise<ThreadView> {
  const row = await findThread(deps.db, id);
  if (row === undefined) throw missing(id);
  if (row.accountId !== actor.id && !isSiteAdmin(actor)) throw forbidden(`only user itself and admin are allowed to read/change this thread ${id}`);
  const [view] = await withRepositories(deps, actor, [row]);
  if (view === undefined) throw missing(id);
  return view;
}

const missing = (id: number) => notFound(`notification does not exist [id: ${id}]`);

/** Marks a thread. @throws ForgeError as {@link getThread} */
export async function markOne(deps: { readonly db: Db }, actor: UserActor, id: number, status: ThreadStatus): Promise<ThreadView> {
  const view = await getThread(deps, actor, id);
  if (view.status !== status) await deps.db.tx((tx) => markThread(tx, id, status));
  return { ...view, status };
}

/** Marks what a filter lets through of the caller's threads. @returns the latest of them, as they are then */
export async function markMany(deps: { readonly db: Db }, actor: UserActor, filter: ThreadFilter, status: ThreadStatus): Promise<readonly ThreadView[]> {
  const ids = await deps.db.tx((tx) => markThreads(tx, scopeOf(actor), filter, status));
  const latest = [...ids].sort((a, b) => b - a).slice(0, maxTold);
  return latest.length === 0 ? [] : withRepositories(deps, actor, await loadThreads(deps.db, latest));
}

/** What the caller cannot read any more is left out, also where his teams keep a repository and lose its issues. */
async function withRepositories(deps: { readonly db: Reader }, actor: UserActor, rows: readonly ThreadRow[]): Promise<readonly ThreadView[]> {
  if (rows.length === 0) return [];
  const views = await loadRepositoryViews(deps, actor, [...new Set(rows.map(({ repoId }) => repoId))]);
  const repositories = new Map(views.map((view) => [view.id, view]));
  return rows.flatMap((row) => {
    const repository = repositories.get(row.repoId);
    return repository !== undefined && atLeast(repository.right.unit(unitOf(row.subject)), "read") ? [{ ...row, repository }] : [];
  });
}
