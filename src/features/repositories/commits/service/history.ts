import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { isWalkable, listCommitOids } from "../../../../git/history/log.ts";
import { deriveOnce } from "../../../../git/objects/derived-result.ts";
import { findEntry, readCommit } from "../../../../git/objects/objects.ts";
import { walkCommits } from "../../../../git/objects/walk.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import type { CommitView } from "../model.ts";
import { commitCount } from "./counts.ts";
import { browsedPage, countedPage } from "./filtered-page.ts";
import { type CommitDeps, requireCommits, type Viewing, viewCommits } from "./loaders.ts";

export interface HistoryFilter {
  /** A branch, tag or commit to start at; the default branch if undefined. */
  readonly rev: string | undefined;
  /** Only commits that changed this file or directory. */
  readonly path: string | undefined;
  /** Excludes the commits reachable from this branch, tag or commit. */
  readonly notRev: string | undefined;
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
}

/**
 * A page of the history, newest first, in the order of `git log`.
 * @throws ForgeError `conflict` in an empty repository, `not_found` for an unknown commit or path
 */
export async function listCommits(deps: CommitDeps, viewing: Viewing, filter: HistoryFilter, page: Page): Promise<Paged<CommitView>> {
  const { total = 0, items } = await readPage(deps, viewing, filter, { page, isCounted: true });
  return { total, items };
}

/** As {@link listCommits}, but the commits of a path are only counted if that takes no walk of the whole history. */
export const browseCommits = (deps: CommitDeps, viewing: Viewing, filter: HistoryFilter, page: Page): Promise<BrowsedCommits> =>
  readPage(deps, viewing, filter, { page, isCounted: false });

export interface BrowsedCommits {
  readonly items: readonly CommitView[];
  /** Undefined if it is not known. */
  readonly total: number | undefined;
  /** Whether a page follows. */
  readonly hasNext: boolean;
}

interface PageRequest {
  readonly page: Page;
  readonly isCounted: boolean;
}

async function readPage(deps: CommitDeps, viewing: Viewing, filter: HistoryFilter, request: PageRequest): Promise<BrowsedCommits> {
  const { repository, signal } = viewing;
  if (repository.isEmpty) throw conflict("Git Repository is empty.", { reason: "repository_empty" });
  const store = codeStore(deps, repository);
  const tip = filter.rev ? await resolveRev(deps, store, filter.rev) : await resolveRev(deps, store, repository.defaultBranch, ["branch"]);
  // @compat the response body is the literal null (commits/api.test.ts)
  if (tip === undefined) throw notFound("not found", { body: "null" });
  const query = { tipOid: tip.commitOid, ...request, signal };
  const { commits, ...counts } = isFiltered(filter) ? await pageFiltered(deps, store, { ...query, filter }) : await pageWhole(deps, store, query);
  return { ...counts, items: await viewCommits(deps, viewing, commits) };
}

/** Whether a commit has a file or directory at a path. If so, some commit changed it. */
export async function hasPath(deps: Pick<CommitDeps, "git">, repository: RepositorySubject, oid: Oid, path: string): Promise<boolean> {
  const store = codeStore(deps, repository);
  const commit = await readCommit(store, oid);
  return commit !== undefined && isPath(path) && (await findEntry(store, commit.treeOid, path)) !== undefined;
}

const isFiltered = ({ path, notRev, sinceMs, untilMs }: HistoryFilter): boolean =>
  Boolean(path) || Boolean(notRev) || sinceMs !== undefined || untilMs !== undefined;

interface PageQuery extends PageRequest {
  readonly tipOid: Oid;
  readonly signal: AbortSignal | undefined;
}

interface CommitPage extends Omit<BrowsedCommits, "items"> {
  readonly commits: readonly Commit[];
}

/** Pages within this many commits are read through the cache; for deeper ones git is faster. */
const walkedCommits = 500;

async function pageWhole(deps: CommitDeps, store: GitStore, { tipOid, page, signal }: PageQuery): Promise<CommitPage> {
  const total = await commitCount(deps, store, tipOid, signal);
  const counts = { total, hasNext: page.offset + page.limit < total };
  if (page.offset >= total) return { ...counts, commits: [] };
  const range = { skip: page.offset, limit: page.limit };
  const walked = page.offset + page.limit > walkedCommits ? undefined : await walkCommits(store, tipOid, range);
  if (walked !== undefined) return { ...counts, commits: walked };
  const oids = await deriveOnce(store, {
    kind: "commitOids",
    id: `${tipOid} ${range.skip} ${range.limit}`,
    signal,
    make: (shared) => listCommitOids(store, { tipOids: [tipOid], ...range, signal: shared }),
    sizeOf: (found) => 60 * found.length,
  });
  return { ...counts, commits: await requireCommits(store, oids) };
}

async function pageFiltered(deps: CommitDeps, store: GitStore, query: PageQuery & { readonly filter: HistoryFilter }): Promise<CommitPage> {
  const { tipOid, filter, page, isCounted, signal } = query;
  const { notRev, sinceMs, untilMs } = filter;
  const not = notRev ? await resolveRev(deps, store, notRev) : undefined;
  if (notRev && not === undefined) throw notFound(`commit doesn't exist: ${notRev}`);
  const path = filter.path?.replace(/^\/+|\/+$/g, "");
  if (!isPath(path)) throw notFound("FileCommitsCount");
  const history = {
    tipOids: [tipOid],
    ...(not && { notOids: [not.commitOid] }),
    ...(path && { path }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...(untilMs !== undefined && { untilMs }),
    skip: page.offset,
    limit: page.limit,
    signal,
  };
  const { oids, total, hasNext } = isCounted ? await countedPage(deps, store, history) : await browsedPage(deps, store, history);
  if (filter.path && total === 0) throw notFound("FileCommitsCount");
  return { total, hasNext, commits: await requireCommits(store, oids) };
}

/** Whether a tree can contain the path; git refuses to walk for others. */
const isPath = (path = ""): boolean => path === "" || (isWalkable(path) && path.split("/").every((name) => name !== "" && name !== "." && name !== ".."));
