import type { CloseReason } from "../close-reason.ts";
import type { IssueOrder } from "../model.ts";
import { readDates, readNumbers, type Span } from "./query-values.ts";

/** The relation of a user to an issue. `involves`: any of the first four. */
export type PersonRole = "author" | "assignee" | "mentions" | "commenter" | "involves" | "review-requested" | "reviewed-by";

export type ReviewOutcome = "none" | "required" | "approved" | "changes_requested";

/** Something that an issue either is or has, or not. */
export type IssueFact = "draft" | "merged" | "locked" | "pinned" | "linked" | "label" | "milestone" | "assignee";

export type SpanSubject = "created" | "updated" | "closed" | "merged" | "comments";

/** One condition of a query. Several values are alternatives. */
export type QueryTerm = { readonly isNegated: boolean } & (
  | { readonly kind: "label" | "milestone" | "base" | "head"; readonly values: readonly string[] }
  | { readonly kind: "repo" | "owner"; readonly values: readonly string[] }
  | { readonly kind: "person"; readonly role: PersonRole; readonly values: readonly string[] }
  | { readonly kind: "review"; readonly values: readonly ReviewOutcome[] }
  | { readonly kind: "reason"; readonly values: readonly CloseReason[] }
  | { readonly kind: "fact"; readonly fact: IssueFact }
  | { readonly kind: "span"; readonly subject: SpanSubject; readonly spans: readonly Span[] }
);

export type PlaceTerm = Extract<QueryTerm, { readonly kind: "repo" | "owner" }>;

export type SearchedText = "title" | "body" | "comments";

/** A parsed search query: an issue has to meet all terms and contain all words. */
export interface TypedQuery {
  readonly state: "open" | "closed" | "all";
  /** Undefined: both. */
  readonly type: "issues" | "pulls" | undefined;
  readonly terms: readonly QueryTerm[];
  /** Words and quoted phrases. */
  readonly words: readonly string[];
  /** Where the words are searched; empty: everywhere. */
  readonly searched: readonly SearchedText[];
  readonly order: IssueOrder;
  /** Qualifiers that do not exist, and values that a qualifier does not have, as typed. */
  readonly unknown: readonly string[];
}

/** A qualifier or a word of a query, as typed. */
interface Piece {
  readonly source: string;
  readonly isNegated: boolean;
  /** Empty for words. */
  readonly key: string;
  /** The alternatives of a qualifier, or the word. */
  readonly values: readonly string[];
}

/** A value that begins with a colon or two slashes is text: `std::vector`, `https://example.com`. */
const pieces = /(-?)([a-z][a-z-]*):(?!:|\/\/)((?:"[^"]*"?|[^\s"])+)|"([^"]*)"?|(\S+)/g;
const alternatives = /"([^"]*)"?|[^,"]+/g;

const maxAlternatives = 50;

/** A query that is split once, although many others are derived from it. */
export type SplitQuery = readonly Piece[];

export function splitQuery(typed: string): SplitQuery {
  return [...typed.matchAll(pieces)].map(([source, sign, key, value, phrase, word]) => {
    if (key === undefined || value === undefined) return { source, isNegated: false, key: "", values: [phrase ?? word ?? ""] };
    const values = [...value.matchAll(alternatives)].map(([all, quoted]) => quoted ?? all).slice(0, maxAlternatives);
    return { source, isNegated: sign === "-", key, values };
  });
}

const states: Readonly<Record<string, TypedQuery["state"]>> = { open: "open", closed: "closed", all: "all" };
const opposite = { open: "closed", closed: "open", all: "all" } as const;
const types: Readonly<Record<string, TypedQuery["type"]>> = { issue: "issues", issues: "issues", pr: "pulls", "pull-request": "pulls" };

/** Values of `is:`, and what they mean. */
const facts: Readonly<Record<string, readonly [fact: IssueFact, holds: boolean]>> = {
  draft: ["draft", true],
  merged: ["merged", true],
  unmerged: ["merged", false],
  locked: ["locked", true],
  unlocked: ["locked", false],
  pinned: ["pinned", true],
};

const roles: Readonly<Record<string, PersonRole>> = {
  author: "author",
  assignee: "assignee",
  mentions: "mentions",
  commenter: "commenter",
  involves: "involves",
  "review-requested": "review-requested",
  "reviewed-by": "reviewed-by",
};

const named: Readonly<Record<string, "label" | "milestone" | "repo" | "owner" | "base" | "head">> = {
  label: "label",
  milestone: "milestone",
  repo: "repo",
  owner: "owner",
  org: "owner",
  user: "owner",
  base: "base",
  head: "head",
};

const possessions: Readonly<Record<string, IssueFact>> = { label: "label", milestone: "milestone", assignee: "assignee" };
const outcomes: Readonly<Record<string, ReviewOutcome>> = {
  none: "none",
  required: "required",
  approved: "approved",
  changes_requested: "changes_requested",
  "changes-requested": "changes_requested",
};
const reasons: Readonly<Record<string, CloseReason>> = { completed: "", "not planned": "not_planned", duplicate: "duplicate" };
const searchedTexts: Readonly<Record<string, SearchedText>> = { title: "title", body: "body", comments: "comments" };
const dated = new Set<string>(["created", "updated", "closed", "merged"]);

const orders: Readonly<Record<string, IssueOrder>> = {
  created: "newest",
  "created-desc": "newest",
  "created-asc": "oldest",
  updated: "updated",
  "updated-desc": "updated",
  "updated-asc": "least-updated",
  comments: "most-commented",
  "comments-desc": "most-commented",
  "comments-asc": "least-commented",
};

interface Reading {
  state: TypedQuery["state"];
  type: TypedQuery["type"];
  order: IssueOrder;
  readonly terms: QueryTerm[];
  readonly searched: SearchedText[];
}

/** All values of a table for the names; undefined if one name is not in the table. */
function allOf<T>(table: Readonly<Record<string, T>>, names: readonly string[]): readonly T[] | undefined {
  const found = names.flatMap((name) => (Object.hasOwn(table, name.toLowerCase()) ? [table[name.toLowerCase()] as T] : []));
  return found.length === names.length && found.length > 0 ? found : undefined;
}

/** Reads one qualifier. @returns whether it is known */
type Read = (reading: Reading, piece: Piece, nowMs: number) => boolean;

const readIs: Read = (reading, { values, isNegated }) => {
  const [state] = allOf(states, values) ?? [];
  const [type] = allOf(types, values) ?? [];
  const [fact] = allOf(facts, values) ?? [];
  if (values.length !== 1) return false;
  if (state !== undefined) reading.state = isNegated ? opposite[state] : state;
  else if (type !== undefined) reading.type = (type === "issues") === isNegated ? "pulls" : "issues";
  else if (fact !== undefined) reading.terms.push({ kind: "fact", fact: fact[0], isNegated: fact[1] === isNegated });
  else return false;
  return true;
};

const readPossession =
  (isAbsent: boolean): Read =>
  (reading, { values, isNegated }) => {
    const found = allOf(possessions, values);
    for (const fact of found ?? []) reading.terms.push({ kind: "fact", fact, isNegated: isAbsent !== isNegated });
    return found !== undefined;
  };

const readDraft: Read = (reading, { values, isNegated }) => {
  const [value] = allOf({ true: true, false: false }, values) ?? [];
  if (value === undefined || values.length !== 1) return false;
  reading.terms.push({ kind: "fact", fact: "draft", isNegated: value === isNegated });
  return true;
};

const readLinked: Read = (reading, { values, isNegated }) => {
  const [type] = allOf(types, values) ?? [];
  if (type === undefined || values.length !== 1) return false;
  reading.terms.push({ kind: "fact", fact: "linked", isNegated });
  return true;
};

const readReview: Read = (reading, { values, isNegated }) => {
  const found = allOf(outcomes, values);
  if (found !== undefined) reading.terms.push({ kind: "review", values: found, isNegated });
  return found !== undefined;
};

const readReason: Read = (reading, { values, isNegated }) => {
  const found = allOf(reasons, values);
  if (found !== undefined) reading.terms.push({ kind: "reason", values: found, isNegated });
  return found !== undefined;
};

const readIn: Read = (reading, { values, isNegated }) => {
  const found = allOf(searchedTexts, values);
  if (found === undefined || isNegated) return false;
  reading.searched.push(...found);
  return true;
};

const readSort: Read = (reading, { values, isNegated }) => {
  const [order] = allOf(orders, values) ?? [];
  if (order === undefined || isNegated || values.length !== 1) return false;
  reading.order = order;
  return true;
};

const special: Readonly<Record<string, Read>> = {
  is: readIs,
  state: (reading, piece, nowMs) => allOf(states, piece.values) !== undefined && readIs(reading, piece, nowMs),
  type: (reading, piece, nowMs) => allOf(types, piece.values) !== undefined && readIs(reading, piece, nowMs),
  no: readPossession(true),
  has: readPossession(false),
  draft: readDraft,
  linked: readLinked,
  review: readReview,
  reason: readReason,
  in: readIn,
  sort: readSort,
};

/** Every qualifier, for completion. */
export const qualifiers: readonly string[] = [...Object.keys(special), ...Object.keys(named), ...Object.keys(roles), ...dated, "comments"];

function readQualifier(reading: Reading, piece: Piece, nowMs: number): boolean {
  const { key, values, isNegated } = piece;
  const known = Object.hasOwn(special, key) ? special[key] : undefined;
  if (known !== undefined) return known(reading, piece, nowMs);
  const kind = Object.hasOwn(named, key) ? named[key] : undefined;
  const role = Object.hasOwn(roles, key) ? roles[key] : undefined;
  if (kind !== undefined) reading.terms.push({ kind, values, isNegated });
  else if (role === "assignee" && values.length === 1 && values[0] === "*") reading.terms.push({ kind: "fact", fact: "assignee", isNegated });
  else if (role !== undefined) reading.terms.push({ kind: "person", role, values: values.map(withoutAt), isNegated });
  else if (dated.has(key) || key === "comments") {
    const spans = key === "comments" ? readNumbers(values) : readDates(values, nowMs);
    if (spans === undefined) return false;
    reading.terms.push({ kind: "span", subject: key as SpanSubject, spans, isNegated });
  } else return false;
  return true;
}

/** `@ada` is `ada`; `@me` stays. */
const withoutAt = (name: string): string => (name === "@me" ? name : name.replace(/^@/, ""));

/**
 * Parses `is:open -label:wontfix author:@me,ada created:>2024-01 sort:comments "crash on start"`. No input is invalid: `unknown` has what is
 * not understood.
 * @param nowMs for `created:>@today-7d`
 */
export function readTypedQuery(typed: string, nowMs: number): TypedQuery {
  const reading: Reading = { state: "all", type: undefined, order: "newest", terms: [], searched: [] };
  const unknown: string[] = [];
  const words: string[] = [];
  for (const piece of splitQuery(typed)) {
    if (piece.key === "") words.push(...piece.values.filter((word) => word.trim() !== ""));
    else if (piece.values.length === 0 || !readQualifier(reading, piece, nowMs)) unknown.push(piece.source);
  }
  return { ...reading, words, unknown };
}

/** A name as the value of a qualifier. */
export const quoted = (name: string): string => (/^[^\s",:]+$/.test(name) ? name : `"${name.replaceAll('"', "")}"`);

const piecesOf = (query: string | SplitQuery): SplitQuery => (typeof query === "string" ? splitQuery(query) : query);

const join = (typed: readonly string[]): string => typed.join(" ");

/** The pieces of a query that do not set the state. */
const isState = ({ key, values }: Piece): boolean => (key === "is" || key === "state") && allOf(states, values) !== undefined;

/** The same query with another state. */
export const withState = (typed: string, state: TypedQuery["state"]): string =>
  join([
    ...(state === "all" ? [] : [`is:${state}`]),
    ...splitQuery(typed)
      .filter((piece) => !isState(piece))
      .map(({ source }) => source),
  ]);

/** Query syntax of the orders; undefined for the default order. */
const typedOrders: Readonly<Record<IssueOrder, string | undefined>> = {
  newest: undefined,
  oldest: "created-asc",
  updated: "updated",
  "least-updated": "updated-asc",
  "most-commented": "comments",
  "least-commented": "comments-asc",
};

/** The same query in another order. */
export const withOrder = (typed: string, order: IssueOrder): string => withValue(typed, "sort", typedOrders[order]);

/** The same query with another value of a qualifier, and without those that contradict it; undefined removes the qualifier. */
export function withValue(typed: string | SplitQuery, key: string, value: string | undefined): string {
  const isReplaced = (piece: Piece): boolean => !piece.isNegated && (piece.key === key || (piece.key === "no" && piece.values.includes(key)));
  const kept = piecesOf(typed).filter((piece) => !isReplaced(piece));
  return join([...kept.map(({ source }) => source), ...(value === undefined ? [] : [`${key}:${quoted(value)}`])]);
}

/** The same query, only with issues that have none: no label, milestone or assignee. */
export function withNone(typed: string | SplitQuery, key: string): string {
  return join([withValue(typed, key, undefined), `no:${key}`].filter((part) => part !== ""));
}

/** The same query with one more value that an issue has to have, or without it if the query has it. */
export function withToggled(typed: string | SplitQuery, key: string, value: string): string {
  const isSame = (piece: Piece): boolean => !piece.isNegated && piece.key === key && piece.values.length === 1 && piece.values[0] === value;
  const all = piecesOf(typed);
  const kept = all.filter((piece) => !isSame(piece) && !(piece.key === "no" && piece.values.includes(key)));
  const isAdded = !all.some(isSame);
  return join([...kept.map(({ source }) => source), ...(isAdded ? [`${key}:${quoted(value)}`] : [])]);
}

/** The values of a qualifier that is not negated, as typed. */
export const valuesOfKey = (typed: string | SplitQuery, key: string): readonly string[] =>
  piecesOf(typed).flatMap((piece) => (piece.key === key && !piece.isNegated ? piece.values : []));

/** The search of a list without a query. */
export const usualQuery = "is:open";

/** The fields of the filter menus of a list. */
export interface FilterFields {
  readonly repo?: string | undefined;
  readonly label?: string | undefined;
  readonly author?: string | undefined;
  readonly assignee?: string | undefined;
  readonly milestone?: string | undefined;
}

/** The query with the value of a filter menu's field; undefined if no field is set. */
export function withFields(typed: string, { label = "", ...single }: FilterFields): string | undefined {
  const set = Object.entries(single).filter(([, value]) => value !== undefined && value !== "") as [string, string][];
  if (label === "" && set.length === 0) return undefined;
  const labelled = label === "" ? typed : withToggled(typed, "label", label);
  return set.reduce((query, [key, value]) => (value === "none" ? withNone(query, key) : withValue(query, key, value)), labelled);
}
