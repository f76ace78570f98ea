import { isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import { atLeast, type Unit } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { findRepositoriesById } from "../../../repositories/repos/service/find.ts";
import { loadRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import type { LatestNews, SubjectType, ThreadFilter, ThreadRow, ThreadStatus, ThreadView } from "../model.ts";
import { loadLatest } from "../store/latest.ts";
import { countThreads, findThread, loadThreads, markThread, markThreads, pageThreads, type ThreadGroup, type ThreadScope } from "../store/threads.ts";

/** Maximum number of returned threads; all threads are marked. */
const maxReported = 200;

/** Threads that the caller can read, with their number. Two statements. */
async function readableThreads(deps: { readonly db: Reader }, actor: UserActor, filter: ThreadFilter): Promise<ThreadScope & { readonly total: number }> {
  const groups = await countThreads(deps.db, actor.id, filter);
  const repositories =
    groups.length === 0 ? new Map<number, RepositorySubject>() : await findRepositoriesById(deps, [...new Set(groups.map(({ repoId }) => repoId))], actor);
  const isReadable = ({ repoId, type }: ThreadGroup): boolean => readsSubject(repositories.get(repoId), type);
  const total = groups.filter(isReadable).reduce((sum, { count }) => sum + count, 0);
  return { accountId: actor.id, hidden: groups.filter((group) => !isReadable(group)), total };
}

const units: Readonly<Record<SubjectType, Unit | undefined>> = {
  issue: "repo.issues",
  pull: "repo.pulls",
  commit: "repo.code",
  repository: undefined,
  release: "repo.releases",
};

/** @param repository undefined if the reader cannot see it at all */
function readsSubject(repository: Pick<RepositorySubject, "right"> | undefined, type: SubjectType): boolean {
  const unit = units[type];
  return repository !== undefined && (unit === undefined || atLeast(repository.right.unit(unit), "read"));
}

/** The caller's threads that they can currently read, latest first. At most six statements. */
export async function listThreads(deps: { readonly db: Reader }, actor: UserActor, filter: ThreadFilter, page: Page): Promise<Paged<ThreadView>> {
  const { total, ...scope } = await readableThreads(deps, actor, filter);
  if (total <= page.offset) return { items: [], total };
  return { total, items: await withRepositories(deps, actor, await pageThreads(deps.db, scope, filter, page)) };
}

/** The latest news of threads that the caller can read, by thread. One statement. */
export const loadLatestNews = ({ db }: { readonly db: Reader }, threads: readonly ThreadView[]): Promise<ReadonlyMap<number, LatestNews>> =>
  loadLatest(
    db,
    threads.map(({ id }) => id),
  );

/** Number of unread threads. @param types only these; empty: all */
export const countNews = async (deps: { readonly db: Reader }, actor: UserActor, types: readonly SubjectType[] = []): Promise<number> =>
  (await readableThreads(deps, actor, { statuses: ["unread"], subjectTypes: types })).total;

/**
 * Finds a thread of the caller, or any thread for administrators.
 * @throws ForgeError `not_found` if it does not exist or the caller can no longer read its subject; `forbidden` for another user's
 * thread
 */
export async function getThread(deps: { readonly db: Reader }, actor: UserActor, id: number): Promise<ThreadView> {
  const row = await findThread(deps.db, id);
  if (row === undefined) throw missing(id);
  if (row.accountId !== actor.id && !isSiteAdmin(actor)) throw forbidden(`only user itself and admin are allowed to read/change this thread ${id}`);
  const [view] = await withRepositories(deps, actor, [row]);
  if (view === undefined) throw missing(id);
  return view;
}

const missing = (id: number) => notFound(id === 0 ? "notification does not exist" : `notification does not exist [id: ${id}]`);

/** Marks a thread. @throws ForgeError as {@link getThread} */
export async function markOne(deps: { readonly db: Db }, actor: UserActor, id: number, status: ThreadStatus): Promise<ThreadView> {
  const view = await getThread(deps, actor, id);
  if (view.status !== status) await deps.db.tx((tx) => markThread(tx, id, status));
  return { ...view, status };
}

/** Marks the caller's threads that match a filter. @returns the latest of them, in their new state */
export async function markMany(deps: { readonly db: Db }, actor: UserActor, filter: ThreadFilter, status: ThreadStatus): Promise<readonly ThreadView[]> {
  const ids = await deps.db.tx(async (tx) => markThreads(tx, await readableThreads({ db: tx }, actor, filter), filter, status));
  const latest = [...ids].sort((a, b) => b - a).slice(0, maxReported);
  return latest.length === 0 ? [] : withRepositories(deps, actor, await loadThreads(deps.db, latest));
}

/** Leaves out threads whose subject the caller can no longer read. */
async function withRepositories(deps: { readonly db: Reader }, actor: UserActor, rows: readonly ThreadRow[]): Promise<readonly ThreadView[]> {
  if (rows.length === 0) return [];
  const views = await loadRepositoryViews(deps, actor, [...new Set(rows.map(({ repoId }) => repoId))]);
  const repositories = new Map(views.map((view) => [view.id, view]));
  return rows.flatMap((row) => {
    const repository = repositories.get(row.repoId);
    return repository !== undefined && readsSubject(repository, row.subject.type) ? [{ ...row, repository }] : [];
  });
}
