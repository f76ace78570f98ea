import { type Actor, isUser } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import { type ReadableUnits, readableUnits } from "../../../../repositories/repos/service/readable.ts";
import type { IssueView } from "../../model.ts";
import type { ListedKind } from "../../planning/sidebar-props.ts";
import { loadIssuesInOrder, onlyLocation } from "../../service/loaders.ts";
import type { TypedQuery } from "../query-language.ts";
import { type IssueFilter, type IssueScope, isNarrow } from "../store/filter.ts";
import { countedAhead, countIssues, maxCompared, maxTitles } from "../store/list.ts";
import { pageOrderedIds } from "../store/ordered.ts";
import { allOf, awaitsReviewOf, isReviewedBy, matchesNone } from "../store/reviewed.ts";
import { findTexts, searchPhrases, shortlyTitled } from "../store/search.ts";
import { conditionOf, type ResolvedTerm } from "../store/term-conditions.ts";
import { countOfRepository, countReadable, findStoredTotal, isSparse, type ReadableTotals, readableIds } from "../store/totals.ts";
import { type ResolvedNames, type ResolvedPlaces, resolvePlaces, resolveTerms } from "./resolve-terms.ts";
import { loadReadable } from "./search.ts";

type Deps = { readonly db: Reader };

export interface TypedSearch {
  /** Undefined: all repositories that the caller can read. */
  readonly repository: RepositorySubject | undefined;
  readonly query: TypedQuery;
  readonly kind: ListedKind;
}

export interface FoundIds extends Paged<number> {
  /** The parts of the query that name something that does not exist: then no issue matches. */
  readonly unknown: readonly string[];
  /** Matches by state. */
  readonly states: { readonly open: number; readonly closed: number };
  /** Set if only so many of the newest issues were compared with the query. */
  readonly comparedOnly: number | undefined;
}

export interface FoundIssues extends Paged<IssueView>, Omit<FoundIds, "items"> {}

/** Runs a search query on the issues or pull requests of a repository, or of all that the caller can read. */
export async function searchTyped(deps: Deps, actor: Actor, search: TypedSearch, page: Page): Promise<FoundIssues> {
  const { repository } = search;
  const found = await searchTypedIds(deps, actor, search, page);
  const load = repository === undefined ? loadReadable(deps, actor, found.items) : loadIssuesInOrder(deps, found.items, onlyLocation(repository));
  return { ...found, items: await load };
}

/** The same without loading the issues. A constant number of statements, and a few for each repository and owner that the query names. */
async function searchTypedIds(deps: Deps, actor: Actor, search: TypedSearch, page: Page): Promise<FoundIds> {
  const { filter, known, comparedOnly, unknown } = await prepare(deps, actor, search, page);
  if (unknown.length > 0) return { items: [], total: 0, unknown, states: { open: 0, closed: 0 }, comparedOnly: undefined };
  const [{ items, total }, others] = await Promise.all([
    pageOrderedIds(deps.db, filter, search.query.order, page, known),
    countOtherState(deps.db, search, filter),
  ]);
  return { items, total, unknown, states: statesOf(search, total, others), comparedOnly };
}

/** Ids of at most `limit` matches in a repository, newest first, with the total. */
export async function findMatches(
  deps: Deps,
  actor: Actor,
  search: TypedSearch & { readonly repository: RepositorySubject },
  limit: number,
): Promise<Paged<number>> {
  const page = { page: 1, limit, offset: 0 };
  const { filter, known, unknown } = await prepare(deps, actor, search, page);
  return unknown.length > 0 ? { items: [], total: 0 } : pageOrderedIds(deps.db, filter, "newest", page, known);
}

interface PreparedSearch extends Pick<FoundIssues, "unknown" | "comparedOnly"> {
  readonly filter: IssueFilter;
  /** The total, if it is stored. */
  readonly known: number | undefined;
}

async function prepare(deps: Deps, actor: Actor, search: TypedSearch, page: Page): Promise<PreparedSearch> {
  const { db } = deps;
  const { repository, query } = search;
  const places = await resolvePlaces(deps, actor, query);
  const facts = factsOf(search);
  const readable = repository === undefined ? readableUnits(actor, { among: chosenPlaces(places.terms) }) : undefined;
  const scopeFor = (end: number, totals?: ReadableTotals): IssueScope => (readable ? readableScope(readable, totals, end) : { repoId: repository?.id ?? 0 });
  const hasNames = query.terms.some(({ kind }) => kind === "label" || kind === "milestone");
  const ahead = readable && hasNames ? await countReadable(db, readable, facts) : undefined;
  const named = scopeFor(page.offset + page.limit + countedAhead, ahead);
  const names = await resolveTerms(deps, actor, { repository, scope: named }, query);
  const { driven, rest } = driveBy(actor, names, repository !== undefined);
  const compared = [...rest, ...places.terms.filter(({ isNegated }) => isNegated || repository !== undefined)].map((term) => conditionOf(db, term));
  const words = searchPhrases(query.words);
  const titles = shortlyTitled(words);
  const hasNoTitles = titles !== undefined && query.searched.length > 0 && !query.searched.includes("title");
  if (hasNoTitles || (query.type !== undefined && query.type !== search.kind)) compared.push(matchesNone);
  const texts = await findTexts(db, words, { within: scopeFor(Number.POSITIVE_INFINITY), isNarrow: Object.keys(driven).length > 0, searched: query.searched });
  const comparesRows = compared.length > 0 || query.order === "most-commented" || query.order === "least-commented";
  const isDrivenByName = driven.labelNames !== undefined || driven.milestoneTitles !== undefined;
  // An index, or the texts, find few issues: how many the caller can read does not matter.
  const findsFew = isNarrow(driven) || texts !== undefined;
  const totals = ahead ?? (readable && !findsFew ? await countReadable(db, readable, facts) : undefined);
  const end = comparesRows ? maxCompared : titles !== undefined ? maxTitles : page.offset + page.limit;
  const filter: IssueFilter = {
    ...facts,
    ...driven,
    within: findsFew ? scopeFor(0) : isDrivenByName ? named : scopeFor(end, totals),
    texts,
    titleCondition: titles,
    rowCondition: allOf(compared),
  };
  const isPlain = Object.keys(driven).length === 0 && texts === undefined && titles === undefined;
  const stored = isPlain ? (totals?.readable ?? (await findStoredTotal(db, { within: { repoId: repository?.id ?? 0 }, ...facts }))) : undefined;
  return {
    filter,
    known: comparesRows ? undefined : stored,
    unknown: [...query.unknown, ...places.unknown, ...names.unknown],
    comparedOnly: comparesRows && stored !== undefined && stored > maxCompared ? maxCompared : undefined,
  };
}

const factsOf = ({ query, kind }: TypedSearch) => ({ isClosed: query.state === "all" ? undefined : query.state === "closed", isPull: kind === "pulls" });

/** The repositories of a list across repositories. Several alternatives are one condition. */
function chosenPlaces(terms: ResolvedPlaces["terms"]) {
  const chosen = terms.filter(({ isNegated }) => !isNegated);
  if (chosen.length === 0) return undefined;
  const idsOf = (kind: "repo" | "owner"): readonly number[] => chosen.flatMap((term) => (term.kind === kind ? term.ids : []));
  return { repositoryIds: idsOf("repo"), ownerIds: idsOf("owner") };
}

/** @param end number of issues that the list reads, in order; 0 if an index of other columns yields them */
function readableScope(readable: ReadableUnits, totals: ReadableTotals | undefined, end: number): IssueScope {
  const { issues, pulls } = readable;
  const isOfFew = totals !== undefined && end > 0 && Number.isFinite(end) && isSparse(totals, end);
  return { issues, pulls, repositories: isOfFew ? readableIds(readable) : undefined };
}

interface DrivenSearch {
  /** The terms that indexes of the list support. */
  readonly driven: IssueFilter;
  readonly rest: readonly ResolvedTerm[];
}

/** Chooses the terms that the indexes of lists support: of each kind the first one without a negation. All others are compared. */
function driveBy(actor: Actor, { terms, labelIds, milestoneIds }: ResolvedNames, isOne: boolean): DrivenSearch {
  const own = isUser(actor) ? actor.id : undefined;
  let driven: IssueFilter = {};
  const rest: ResolvedTerm[] = [];
  for (const term of terms) {
    const part = term.isNegated ? undefined : drivenPart(term);
    if (part === undefined || Object.keys(part).some((key) => key !== "labels" && key in driven)) rest.push(term);
    else driven = { ...driven, ...part, ...(part.labels !== undefined && { labels: [...(driven.labels ?? []), ...part.labels] }) };
  }
  return { driven, rest };

  function drivenPart(term: ResolvedTerm): IssueFilter | undefined {
    if (term.kind === "label") return isOne ? { labels: [labelIds(term.names)] } : { labelNames: [...new Set(term.names)] };
    if (term.kind === "milestone") return isOne ? { milestoneIds: milestoneIds(term.titles) } : { milestoneTitles: [...new Set(term.titles)] };
    const [id, ...more] = term.kind === "person" ? term.ids : [];
    if (term.kind !== "person" || id === undefined || more.length > 0) return undefined;
    if (term.role === "author") return { posterId: id };
    if (term.role === "assignee") return { assigneeId: id };
    if (term.role === "mentions") return { mentionedId: id };
    if (term.role === "review-requested" && id === own) return { idCondition: awaitsReviewOf(id) };
    if (term.role === "reviewed-by" && id === own) return { idCondition: isReviewedBy(id) };
    return undefined;
  }
}

/** The number of matches in the state that is not listed; the closed ones if both are. At most one statement. */
async function countOtherState(db: Reader, { query, repository }: TypedSearch, filter: IssueFilter): Promise<number> {
  const isClosed = query.state !== "closed";
  const { within: _, isPull, isClosed: __, ...others } = filter;
  const isPlain = Object.values(others).every((value) => value === undefined);
  return repository !== undefined && isPlain ? countOfRepository(db, repository.id, { isPull, isClosed }) : countIssues(db, { ...filter, isClosed });
}

function statesOf({ query }: TypedSearch, total: number, others: number): FoundIds["states"] {
  if (query.state === "open") return { open: total, closed: others };
  if (query.state === "closed") return { open: others, closed: total };
  return { open: Math.max(0, total - others), closed: others };
}
