import { malformed, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { findUsersByNames } from "../../../accounts/users/service/by-names.ts";
import { listPinned } from "../../issues/planning/service/pins.ts";
import { canReadPulls } from "../../issues/rights.ts";
import { readState } from "../../issues/search/service/list.ts";
import { loadIssueRowsById } from "../../issues/service/find.ts";
import type { FoundPull, PullRow, PullView } from "../model.ts";
import { type PullFilter, type PullOrder, pagePulls } from "../store/list.ts";
import { loadPullRows } from "../store/rows.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findEnd } from "./ends.ts";
import { loadPullViews } from "./loaders.ts";

/** Filters of a list; empty and 0 match everything. */
export interface PullQuery {
  /** `open`, `closed`, `all`; any other value means open. */
  readonly state: string;
  /** An unknown value means newest first. */
  readonly sort: string;
  readonly milestoneId: number;
  readonly labelIds: readonly number[];
  readonly poster: string;
  readonly baseBranch: string;
}

const orders: readonly PullOrder[] = ["oldest", "recentupdate", "leastupdate", "mostcomment", "leastcomment", "recentclose"];

/** Lists the pull requests of a repository. @throws ForgeError `not_found` if the caller can read none, `malformed` for an unknown user name */
export async function listPulls(deps: PullDeps, viewing: PullViewing, query: PullQuery, page: Page): Promise<Paged<PullView>> {
  const { repository } = viewing;
  if (!canReadPulls(repository)) throw notFound();
  const posterId = await findPoster(deps, query.poster);
  const filter: PullFilter = {
    repoId: repository.id,
    isClosed: readState(query.state),
    milestoneId: query.milestoneId === 0 ? undefined : query.milestoneId,
    labelIds: query.labelIds.length === 0 ? undefined : query.labelIds,
    posterId,
    baseBranch: query.baseBranch === "" ? undefined : (await findEnd(deps, repository, query.baseBranch)).branch,
  };
  const order = orders.find((name) => name === query.sort) ?? "newest";
  const { items, total } = await pagePulls(deps.db, filter, order, page);
  return { items: await loadPullViews(deps, viewing, await withIssues(deps, items), { sizes: false }), total };
}

async function findPoster(deps: PullDeps, name: string): Promise<number | undefined> {
  if (name === "") return undefined;
  const user = (await findUsersByNames(deps, [name]))(name);
  if (user === undefined) throw malformed(`user does not exist [uid: 0, name: ${name}]`, { reason: "user_not_found" });
  return user.id;
}

async function withIssues(deps: PullDeps, rows: readonly PullRow[]): Promise<FoundPull[]> {
  const issues = await loadIssueRowsById(
    deps,
    rows.map(({ issueId }) => issueId),
  );
  return rows.flatMap((row) => {
    const issue = issues.get(row.issueId);
    return issue === undefined ? [] : { ...row, issue };
  });
}

/** The pinned pull requests of a repository, in order. @throws ForgeError `not_found` if the caller can read none */
export async function listPinnedPulls(deps: PullDeps, viewing: PullViewing): Promise<readonly PullView[]> {
  if (!canReadPulls(viewing.repository)) throw notFound();
  const issues = await listPinned(deps, viewing.repository, { isPull: true });
  const rows = await loadPullRows(
    deps.db,
    issues.map(({ id }) => id),
  );
  const found = issues.flatMap((issue) => {
    const row = rows.get(issue.id);
    return row === undefined ? [] : { ...row, issue };
  });
  return loadPullViews(deps, viewing, found, { sizes: true });
}
