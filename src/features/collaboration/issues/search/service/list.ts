import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { notFound } from "../../../../../core/errors.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { IssueOrder, IssueView } from "../../model.ts";
import { canReadIssue, hasReadableIssues } from "../../rights.ts";
import { loadIssuesInOrder, onlyLocation } from "../../service/loaders.ts";
import type { IssueFilter } from "../store/filter.ts";
import { hasFewChangesSince } from "../store/list.ts";
import { pageOrderedIds } from "../store/ordered.ts";
import { findTexts, searchWords, shortlyTitled } from "../store/search.ts";
import { findStoredTotal } from "../store/totals.ts";
import { resolveNames } from "./named.ts";

/** Filters of an issue list; empty and undefined filters match everything. */
export interface IssueQuery {
  /** `open`, `closed`, `all`; any other value means open. */
  readonly state: string;
  /** `issues`, `pulls`; any other value means both. */
  readonly type: string;
  readonly text: string;
  readonly labels: readonly string[];
  readonly milestones: readonly string[];
  readonly createdBy: string;
  readonly assignedTo: string;
  readonly mentions: string;
  readonly sinceMs: number | undefined;
  readonly beforeMs: number | undefined;
  readonly order: IssueOrder;
}

/** @compat an unknown state means open (issues/api/issues.test.ts) */
export const readState = (state: string): boolean | undefined => (state === "all" ? undefined : state === "closed");
export const readType = (type: string): boolean | undefined => (type === "issues" ? false : type === "pulls" ? true : undefined);

/**
 * Lists the issues and pull requests of a repository. At most eight statements.
 * @throws ForgeError `not_found` if the caller cannot read them, and for an unknown user name
 */
export async function listIssues(deps: { readonly db: Reader }, repository: RepositorySubject, query: IssueQuery, page: Page): Promise<Paged<IssueView>> {
  const { db } = deps;
  const isPull = readableKind(repository, readType(query.type));
  const { labels, milestoneIds, userIds } = await resolveNames(
    db,
    { repoId: repository.id, ownerId: repository.ownerId },
    { ...query, users: [query.createdBy, query.assignedTo, query.mentions] },
  );
  const [createdBy, assignedTo, mentions] = userIds;
  const words = searchWords(query.text);
  const within = { repoId: repository.id };
  const isNarrow = labels.length > 0 || milestoneIds.length > 0 || userIds.some((id) => id !== undefined);
  const texts = await findTexts(db, words, { within, isNarrow });
  const filter: IssueFilter = {
    within,
    isClosed: readState(query.state),
    isPull,
    // @compat unknown label and milestone names are ignored (issues/api/issues.test.ts, search/service/named.test.ts)
    ...(labels.length > 0 && { labels }),
    ...(milestoneIds.length > 0 && { milestoneIds }),
    posterId: createdBy,
    assigneeId: assignedTo,
    mentionedId: mentions,
    sinceMs: query.sinceMs,
    usesChangeIndex: query.sinceMs === undefined || texts !== undefined ? undefined : await hasFewChangesSince(db, repository.id, query.sinceMs),
    beforeMs: query.beforeMs,
    texts,
    titleCondition: shortlyTitled(words),
  };
  const known = await findStoredTotal(db, filter);
  const { items, total } = await pageOrderedIds(db, filter, query.order, page, known);
  return { items: await loadIssuesInOrder(deps, items, onlyLocation(repository)), total };
}

/** The requested kind, limited to what the caller can read. @throws ForgeError `not_found` if they cannot read it */
function readableKind(repository: RepositorySubject, wanted: boolean | undefined): boolean | undefined {
  const issues = canReadIssue(repository, { isPull: false });
  const pulls = canReadIssue(repository, { isPull: true });
  if (!hasReadableIssues(repository)) throw notFound();
  if (wanted === undefined) return issues && pulls ? undefined : pulls;
  if (!(wanted ? pulls : issues)) throw notFound();
  return wanted;
}
