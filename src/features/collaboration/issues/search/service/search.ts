import { type Actor, isUser } from "../../../../../access/actor.ts";
import { malformed, unauthenticated } from "../../../../../core/errors.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { UserView } from "../../../../accounts/users/model.ts";
import { findAccountView, isVisibleTo, loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import { type ReadableUnits, readableUnits } from "../../../../repositories/repos/service/readable.ts";
import type { IssueRow, IssueView } from "../../model.ts";
import { canReadIssue } from "../../rights.ts";
import { findIssuesInOrder, loadIssueDetails, userIdsOf, viewsOf } from "../../service/loaders.ts";
import { type IssueFilter, isNarrow, type ReadableScope } from "../store/filter.ts";
import { countedAhead, maxTitles } from "../store/list.ts";
import { pageOrderedIds } from "../store/ordered.ts";
import { allOf, awaitsReviewOf, isReviewedBy } from "../store/reviewed.ts";
import { findTexts, searchWords, shortlyTitled } from "../store/search.ts";
import { countReadable, isSparse, readableIds } from "../store/totals.ts";
import { type IssueQuery, readState, readType } from "./list.ts";
import { resolveKnownNames } from "./named.ts";

/** Filters of a search across repositories; empty and false filters match everything. */
export interface IssueSearch extends Omit<IssueQuery, "assignedTo" | "mentions"> {
  /** Only in repositories of this account. */
  readonly owner: string;
  /** Only in repositories of this team of the owner. */
  readonly team: string;
  /** Only issues that the caller opened, is assigned to, or is mentioned in. */
  readonly isOwn: boolean;
  readonly isAssigned: boolean;
  readonly isMentioned: boolean;
  /** Only pull requests that await the caller's review. */
  readonly isRequested: boolean;
  /** Only pull requests that the caller has reviewed. */
  readonly isReviewed: boolean;
}

/**
 * Searches the issues and pull requests of all repositories that the caller can read.
 * @throws ForgeError `malformed` for an unknown owner, or a team without an owner; `unauthenticated` if an anonymous caller filters by
 * their own issues
 */
export async function searchIssues(deps: { readonly db: Reader }, actor: Actor, search: IssueSearch, page: Page): Promise<Paged<IssueView>> {
  const { items, total } = await searchIssueIds(deps, actor, search, page);
  return { items: await loadReadable(deps, actor, items), total };
}

/** {@link searchIssues}, for callers that load the issues of several searches together. */
export async function searchIssueIds(deps: { readonly db: Reader }, actor: Actor, search: IssueSearch, page: Page): Promise<Paged<number>> {
  const { db } = deps;
  const asksForOwn = search.isOwn || search.isAssigned || search.isMentioned || search.isRequested || search.isReviewed;
  if (asksForOwn && !isUser(actor)) throw unauthenticated("token is required");
  if (search.team !== "" && search.owner === "") throw malformed("owner organisation is required for filtering on team");
  const ownerId = search.owner === "" ? undefined : await requireOwner(deps, actor, search.owner);
  const readable = readableUnits(actor, { ownerId, team: search.team === "" ? undefined : search.team });
  const filter = await filterOf(db, actor, search, { readable, page });
  const { known, within } = filter.within === undefined ? await chooseScope(db, readable, filter, page) : { known: undefined, within: filter.within };
  return pageOrderedIds(db, { ...filter, within }, search.order, page, known);
}

/** Issues in the order of `ids`; leaves out those that the caller can no longer read. At most six statements. */
export async function loadReadable(deps: { readonly db: Reader }, actor: Actor, ids: readonly number[]): Promise<readonly IssueView[]> {
  const rows = await findIssuesInOrder(deps, ids);
  const [complete, users] = await Promise.all([prepareReadable(deps, actor, rows), loadUsers(deps, userIdsOf(rows))]);
  return complete(users);
}

/** @returns the views of the issues that the caller can read, given the accounts that the rows refer to. At most four statements. */
export async function prepareReadable(
  deps: { readonly db: Reader },
  actor: Actor,
  rows: readonly IssueRow[],
): Promise<(users: ReadonlyMap<number, UserView>) => readonly IssueView[]> {
  const [repositories, details] = await Promise.all([
    findRepositoriesById(
      deps,
      rows.map(({ repoId }) => repoId),
      actor,
    ),
    loadIssueDetails(deps, rows),
  ]);
  const isReadable = (row: IssueRow): boolean => {
    const repository = repositories.get(row.repoId);
    return repository !== undefined && canReadIssue(repository, row);
  };
  return (users) => viewsOf(rows.filter(isReadable), details, users, repositories);
}

/** The stored total of a list by state and kind alone, and the way to read all other lists. At most one statement. */
async function chooseScope(
  db: Reader,
  readable: ReadableUnits,
  filter: IssueFilter,
  { offset, limit }: Page,
): Promise<{ readonly known?: number; readonly within: ReadableScope }> {
  const { issues, pulls } = readable;
  if (isNarrow(filter) || filter.texts !== undefined) return { within: { issues, pulls } };
  const totals = await countReadable(db, readable, filter);
  const isAll = [filter.titleCondition, filter.sinceMs, filter.beforeMs].every((part) => part === undefined);
  const end = filter.titleCondition === undefined ? Math.min(offset, Math.max(0, totals.readable - offset)) + limit : maxTitles;
  return {
    ...(isAll && { known: totals.readable }),
    within: { issues, pulls, repositories: isSparse(totals, end) ? readableIds(readable) : undefined },
  };
}

/** A list by names of labels or milestones is counted ahead of the page. At most one statement. */
async function chooseNamedScope(db: Reader, readable: ReadableUnits, search: IssueSearch, { offset, limit }: Page): Promise<ReadableScope> {
  const totals = await countReadable(db, readable, { isClosed: readState(search.state), isPull: readType(search.type) });
  return { issues: readable.issues, pulls: readable.pulls, repositories: isSparse(totals, offset + limit + countedAhead) ? readableIds(readable) : undefined };
}

interface Listed {
  readonly readable: ReadableUnits;
  readonly page: Page;
}

/** The filter, with the scope if it has names of labels or milestones. At most four statements. */
async function filterOf(db: Reader, actor: Actor, search: IssueSearch, { readable, page }: Listed): Promise<IssueFilter> {
  const { issues, pulls } = readable;
  const hasNames = search.labels.length > 0 || search.milestones.length > 0;
  const within = hasNames ? await chooseNamedScope(db, readable, search, page) : { issues, pulls };
  const { labels, milestones, userIds } = await resolveKnownNames(db, within, { ...search, users: [search.createdBy] });
  const [createdBy] = userIds;
  const own = isUser(actor) ? actor.id : undefined;
  const words = searchWords(search.text);
  return {
    isClosed: readState(search.state),
    isPull: readType(search.type),
    // @compat across repositories one matching label is enough, and unknown names are ignored (conversation/discussion.test.ts)
    ...(labels.length > 0 && { labelNames: labels }),
    ...(milestones.length > 0 && { milestoneTitles: milestones }),
    ...(labels.length + milestones.length > 0 && { within }),
    posterId: search.isOwn ? own : createdBy,
    assigneeId: search.isAssigned ? own : undefined,
    mentionedId: search.isMentioned ? own : undefined,
    sinceMs: search.sinceMs,
    beforeMs: search.beforeMs,
    titleCondition: shortlyTitled(words),
    texts: await findTexts(db, words, { within: { issues, pulls }, isNarrow: false }),
    idCondition: allOf([
      search.isRequested && own !== undefined ? awaitsReviewOf(own) : undefined,
      search.isReviewed && own !== undefined ? isReviewedBy(own) : undefined,
    ]),
  };
}

async function requireOwner(deps: { readonly db: Reader }, actor: Actor, name: string): Promise<number> {
  const owner = await findAccountView(deps, name);
  // A hidden organization can still have a repository shared with the caller; a hidden user counts as unknown.
  if (owner === undefined || (owner.kind === "user" && !isVisibleTo(owner, actor)))
    throw malformed(`user does not exist [uid: 0, name: ${name}]`, { reason: "user_not_found" });
  return owner.id;
}
