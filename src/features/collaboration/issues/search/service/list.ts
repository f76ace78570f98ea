import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { notFound } from "../../../../../core/errors.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findUsersByNames } from "../../../../accounts/users/service/by-names.ts";
import type { IssueOrder, IssueView } from "../../model.ts";
import { canReadIssue } from "../../rights.ts";
import { loadIssuesInOrder, onlyLocation } from "../../service/loaders.ts";
import { findKeptTotal, type IssueFilter, isSinceRecent } from "../store/list.ts";
import { pageOrderedIds } from "../store/ordered.ts";
import { findTexts, searchWords, shortlyTitled } from "../store/search.ts";
import { resolveNames } from "./named.ts";

/** What a list of issues is asked for; what is empty or undefined asks for nothing. */
export interface IssueQuery {
  /** `open`, `closed`, `all`; anything else is open. */
  readonly state: string;
  /** `issues`, `pulls`; anything else is both. */
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

/** @compat an unknown state is open */
export const readState = (state: string): boolean | undefined => (state === "all" ? undefined : state === "closed");
export const readType = (type: string): boolean | undefined => (type === "issues" ? false : type === "pulls" ? true : undefined);

/**
 * The issues and pull requests of a repository. Eight statements at most.
 * @throws ForgeError `not_found` where the caller reads neither, and for a name that is nobody's
 */
export async function listIssues(deps: { readonly db: Reader }, repository: RepositorySubject, query: IssueQuery, page: Page): Promise<Paged<IssueView>> {
  const { db } = deps;
  const isPull = readableKind(repository, readType(query.type));
  if (isPull === "none") return { items: [], total: 0 };
  const { labels, milestoneIds, userIds } = await resolveNames(
    db,
    { repoIds: [repository.id], ownerIds: [repository.ownerId] },
    { ...query, hasMilestoneIds: true, users: [query.createdBy, query.assignedTo, query.mentions] },
  );
  const [createdBy, assignedTo, mentions] = userIds;
  const words = searchWords(query.text);
  const isNarrow = labels.length > 0 || milestoneIds.length > 0 || userIds.some((id) => id !== undefined);
  const texts = await findTexts(db, words, { repoIds: [repository.id], isNarrow });
  const filter: IssueFilter = {
    repoIds: [repository.id],
    isClosed: readState(query.state),
    isPull,
    // @compat names that no label and no milestone bears ask for nothing
    ...(labels.length > 0 && { labels }),
    ...(milestoneIds.length > 0 && { milestoneIds }),
    posterId: createdBy,
    assigneeId: assignedTo,
    mentionedId: mentions,
    sinceMs: query.sinceMs,
    isSinceRecent: query.sinceMs === undefined || texts !== undefined ? undefined : await isSinceRecent(db, repository.id, query.sinceMs),
    beforeMs: query.beforeMs,
    texts,
    titled: shortlyTitled(words),
  };
  const known = await findKeptTotal(db, filter);
  const { items, total } = await pageOrderedIds(db, filter, query.order, page, known);
  return { items: await loadIssuesInOrder(deps, items, onlyLocation(repository)), total };
}

/** Which of both kinds a caller lists: the one he asks for, as far as he reads it. @throws ForgeError `not_found` where he reads neither */
function readableKind(repository: RepositorySubject, wanted: boolean | undefined): boolean | undefined | "none" {
  const issues = canReadIssue(repository, { isPull: false });
  const pulls = canReadIssue(repository, { isPull: true });
  if (!issues && !pulls) throw notFound();
  if (issues && pulls) return wanted;
  return wanted === issues ? "none" : pulls;
}

export async function requireUsers(deps: { readonly db: Reader }, names: readonly string[]): Promise<readonly (number | undefined)[]> {
  const given = names.filter((name) => name !== "");
  const byName = given.length === 0 ? undefined : await findUsersByNames(deps, given);
  return names.map((name) => {
    if (name === "") return undefined;
    const user = byName?.(name);
    if (user === undefined) throw notFound("not found", { details: [`user does not exist [uid: 0, name: ${name}]`] });
    return user.id;
  });
}
