import { type Actor, isUser } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { malformed, unauthenticated } from "../../../../../core/errors.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findAccountView, isVisibleTo } from "../../../../accounts/users/service/accounts.ts";
import { listReadable } from "../../../../repositories/repos/service/readable.ts";
import type { IssueView } from "../../model.ts";
import { canReadIssue } from "../../rights.ts";
import { loadIssuesInOrder } from "../../service/loaders.ts";
import { findKeptTotal, type IssueFilter } from "../store/list.ts";
import { pageOrderedIds } from "../store/ordered.ts";
import { allOf, awaitsReviewOf, isReviewedBy } from "../store/reviewed.ts";
import { findTexts, searchWords, shortlyTitled } from "../store/search.ts";
import { type IssueQuery, readState, readType } from "./list.ts";
import { resolveNames } from "./named.ts";

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
  const { db } = deps;
  const asksForOwn = search.isOwn || search.isAssigned || search.isMentioned || search.isRequested || search.isReviewed;
  if (asksForOwn && !isUser(actor)) throw unauthenticated("token is required");
  if (search.team !== "" && search.owner === "") throw malformed("owner organisation is required for filtering on team");
  const ownerId = search.owner === "" ? undefined : await requireOwner(deps, actor, search.owner);
  const readable = await listReadable(deps, actor, { hasIssues: true, ownerId, team: search.team === "" ? undefined : search.team });
  const subjects = new Map(readable.filter(readsEither).map((one) => [one.id, one]));
  if (subjects.size === 0) return { items: [], total: 0 };
  const filter = await filterOf(db, actor, search, [...subjects.values()]);
  const { items, total } = await pageOrderedIds(db, filter, search.order, page, await findKeptTotal(db, filter));
  return { items: await loadIssuesInOrder(deps, items, subjects), total };
}

const readsIssues = (repository: RepositorySubject): boolean => canReadIssue(repository, { isPull: false });
const readsPulls = (repository: RepositorySubject): boolean => canReadIssue(repository, { isPull: true });
const readsEither = (repository: RepositorySubject): boolean => readsIssues(repository) || readsPulls(repository);

async function filterOf(db: Reader, actor: Actor, search: IssueSearch, repositories: readonly RepositorySubject[]): Promise<IssueFilter> {
  const repoIds = repositories.map(({ id }) => id);
  const ownerIds = [...new Set(repositories.map((one) => one.ownerId))];
  const idsWithout = (reads: (one: RepositorySubject) => boolean): readonly number[] | undefined => {
    const ids = repositories.filter((one) => !reads(one)).map(({ id }) => id);
    return ids.length === 0 ? undefined : ids;
  };
  const names = await resolveNames(db, { repoIds, ownerIds }, { ...search, hasMilestoneIds: false, users: [search.createdBy] });
  const labelIds = names.labels.flat();
  const [createdBy] = names.userIds;
  const own = isUser(actor) ? actor.id : undefined;
  const words = searchWords(search.text);
  return {
    repoIds,
    withoutIssues: idsWithout(readsIssues),
    withoutPulls: idsWithout(readsPulls),
    isClosed: readState(search.state),
    isPull: readType(search.type),
    // @compat across repositories one matching label is enough, and unknown names are ignored
    labels: labelIds.length > 0 ? [labelIds] : undefined,
    areLabelsApart: names.areLabelsApart && labelIds.length > 0 ? true : undefined,
    milestoneIds: names.milestoneIds.length > 0 ? names.milestoneIds : undefined,
    posterId: search.isOwn ? own : createdBy,
    assigneeId: search.isAssigned ? own : undefined,
    mentionedId: search.isMentioned ? own : undefined,
    sinceMs: search.sinceMs,
    beforeMs: search.beforeMs,
    titled: shortlyTitled(words),
    texts: await findTexts(db, words, { repoIds, isNarrow: false }),
    foundBy: allOf([
      search.isRequested && own !== undefined ? awaitsReviewOf(own) : undefined,
      search.isReviewed && own !== undefined ? isReviewedBy(own) : undefined,
    ]),
  };
}

async function requireOwner(deps: { readonly db: Reader }, actor: Actor, name: string): Promise<number> {
  const owner = await findAccountView(deps, name);
  // A hidden organization can still have a repository shared with the caller; a hidden user counts as unknown.
  if (owner === undefined || (owner.kind === "user" && !isVisibleTo(owner, actor))) throw malformed(`user does not exist [uid: 0, name: ${name}]`);
  return owner.id;
}
