import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { listPinned } from "../../issues/planning/service/pins.ts";
import { canReadIssue } from "../../issues/rights.ts";
import { readState, requireUsers } from "../../issues/search/service/list.ts";
import { loadIssueRowsById } from "../../issues/service/find.ts";
import type { FoundPull, PullRow, PullView } from "../model.ts";
import { type PullFilter, type PullOrder, pagePulls } from "../store/list.ts";
import { loadPullRows } from "../store/rows.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findEnd } from "./ends.ts";
import { loadPullViews } from "./loaders.ts";

/** What a list is asked for; what is empty or 0 asks for nothing. */
export interface PullQuery {
  /** `open`, `closed`, `all`; anything else is open. */
  readonly state: string;
  /** Anything unknown is the newest first. */
  readonly sort: string;
  readonly milestoneId: number;
  readonly labelIds: readonly number[];
  readonly poster: string;
  readonly baseBranch: string;
}

const orders: readonly PullOrder[] = ["oldest", "recentupdate", "leastupdate", "mostcomment", "leastcomment", "recentclose"];

/** The pull requests of a repository. @throws ForgeError `not_found` where the caller reads none, and for a name that is nobody's */
export async function listPulls(deps: PullDeps, viewing: PullViewing, query: PullQuery, page: Page): Promise<Paged<PullView>> {
  const { repository } = viewing;
  if (!canReadIssue(repository, { isPull: true }) || repository.isEmpty) throw notFound();
  const [posterId] = await requireUsers(deps, [query.poster]);
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

/** The pinned pull requests of a repository, in their order. @throws ForgeError `not_found` */
export async function listPinnedPulls(deps: PullDeps, viewing: PullViewing): Promise<readonly PullView[]> {
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
