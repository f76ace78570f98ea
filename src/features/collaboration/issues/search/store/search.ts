import { type RawBuilder, type SqlBool, sql } from "kysely";
import { compiled, type Slots } from "../../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import type { SearchedText } from "../query-language.ts";
import { type IssueScope, isOneRepository, type SearchedTexts, type Sql } from "./filter.ts";
import { allOf } from "./reviewed.ts";

/** Folded words of a search. */
export type SearchWords = readonly string[];

const maxWords = 10;
/** Number of characters of a text that are indexed. */
const maxIndexed = 50_000;
/** The index consists of trigrams: shorter words are searched for in titles only. */
const leastIndexed = 3;

/** Folds case in JavaScript, so that both databases agree. */
const fold = (text: string): string => text.toLowerCase();

/** The words of a search. An issue must contain all of them, each in its title, its text or one of its comments. */
export const searchWords = (text: string): SearchWords => searchPhrases(text.split(/\s+/));

/** The same for words and phrases. */
export const searchPhrases = (phrases: readonly string[]): SearchWords =>
  [...new Set(phrases.map((one) => fold(one).trim()).filter((one) => one !== ""))].slice(0, maxWords);

const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, "\\$&")}%`;
/** A quoted phrase of the index's query language, without syntax. */
const phrase = (word: string): string => `"${word.replaceAll('"', '""')}"`;

const isShort = (word: string): boolean => [...word].length < leastIndexed;
const inTitle = (word: string): RawBuilder<SqlBool> => sql<SqlBool>`lower(i.title) like ${likePattern(word)} escape '\\'`;

export interface SearchScope {
  readonly within: IssueScope;
  /** Whether other filters leave few issues. */
  readonly isNarrow: boolean;
  /** Empty: in all of them. */
  readonly searched?: readonly SearchedText[];
}

/**
 * Finds the texts that contain all words; undefined if the index supports none of them ({@link shortlyTitled}).
 * User input is a parameter, never part of a query. At most one statement, on PostgreSQL for a single repository.
 */
export async function findTexts(db: Reader, words: SearchWords, place: SearchScope): Promise<readonly SearchedTexts[] | undefined> {
  const indexed = words.filter((word) => !isShort(word));
  if (indexed.length === 0) return undefined;
  const titled = words.filter(isShort).map(inTitle);
  const ends = await endsOf(db, place);
  const { searched = [] } = place;
  const part = partOfText(db, searched);
  return (db.dialect === "sqlite" ? indexedTexts(indexed) : scannedTexts(indexed)).flatMap((texts) => {
    if (!isSearched(searched, texts.isComment)) return [];
    const within = ends === undefined ? [] : [sql<SqlBool>`${texts.issue} >= ${ends.first} and ${texts.issue} <= ${ends.last}`];
    const inPart = part === undefined || texts.isComment ? [] : indexed.map((word) => sql<SqlBool>`${part} like ${likePattern(word)} escape '\\'`);
    return { ...texts, where: sql.join([texts.where, ...within, ...inPart, ...titled], sql` and `), readsTitle: titled.length > 0 };
  });
}

const isSearched = (searched: readonly SearchedText[], isComment: boolean): boolean =>
  searched.length === 0 || (isComment ? searched.includes("comments") : searched.includes("title") || searched.includes("body"));

/** The first line of an indexed text of an issue is its title. Undefined if both the title and the rest are searched. */
function partOfText({ dialect }: Reader, searched: readonly SearchedText[]): Sql | undefined {
  const [title, body] = [searched.includes("title"), searched.includes("body")];
  if (title === body) return undefined;
  if (dialect === "sqlite") {
    const end = sql`instr(t.content, char(10))`;
    return title ? sql`substr(t.content, 1, ${end})` : sql`substr(t.content, ${end})`;
  }
  return title ? sql`split_part(t.content, chr(10), 1)` : sql`substr(t.content, strpos(t.content, chr(10)))`;
}

/**
 * Range of issue ids of a single repository, because the text index does not contain repositories. PostgreSQL needs literals to estimate
 * the selectivity; SQLite needs a value of integer type, which a JavaScript number is not.
 */
async function endsOf(db: Reader, { within, isNarrow }: SearchScope): Promise<{ readonly first: Sql; readonly last: Sql } | undefined> {
  if (!isOneRepository(within)) return undefined;
  const { repoId } = within;
  const end = (direction: "asc" | "desc") => db.sql.selectFrom("issues").select("id").where("repo_id", "=", repoId).orderBy("id", direction).limit(1);
  if (db.dialect === "sqlite") return { first: sql`${end("asc")}`, last: sql`${end("desc")}` };
  if (isNarrow) return undefined;
  const { first, last } = await db.sql.selectNoFrom([end("asc").as("first"), end("desc").as("last")]).executeTakeFirstOrThrow();
  return { first: sql`${first ?? 1}`, last: sql`${last ?? 0}` };
}

/** Condition on issues `i` whose titles contain all words, if all of them are too short for the index; otherwise undefined. */
export const shortlyTitled = (words: SearchWords): RawBuilder<SqlBool> | undefined =>
  words.length > 0 && words.every(isShort) ? allOf(words.map(inTitle)) : undefined;

const ofIssues = { isComment: false } as const;
const ofComments = { isComment: true, issue: sql`c.issue_id` } as const;

/** SQLite: the index, and the table of texts that are not indexed yet. */
interface TextsOfKind extends SearchedTexts {
  readonly isComment: boolean;
}

function indexedTexts(words: SearchWords): readonly TextsOfKind[] {
  const query = words.map(phrase).join(" AND ");
  const waiting = containsAll(words);
  return [
    { ...ofIssues, from: sql`issue_texts t`, where: sql`t.content match ${query}`, issue: sql`t.rowid`, key: sql`t.rowid` },
    { ...ofComments, from: sql`comment_texts t cross join comments c`, where: sql`c.id = t.rowid and t.content match ${query}`, key: sql`t.rowid` },
    { ...ofIssues, from: sql`issue_texts_waiting t`, where: waiting, issue: sql`t.id`, key: sql`t.id` },
    { ...ofComments, from: sql`comment_texts_waiting t cross join comments c`, where: sql`c.id = t.id and ${waiting}`, key: sql`t.id` },
  ];
}

/** PostgreSQL decides itself whether to use its index. */
function scannedTexts(words: SearchWords): readonly TextsOfKind[] {
  const where = containsAll(words);
  return [
    { ...ofIssues, from: sql`issue_texts t`, where, issue: sql`t.id`, key: sql`t.id` },
    { ...ofComments, from: sql`comment_texts t cross join comments c`, where: sql`c.id = t.id and ${where}`, key: sql`t.id` },
  ];
}

const containsAll = (words: SearchWords): Sql =>
  sql.join(
    words.map((word) => sql`t.content like ${likePattern(word)} escape '\\'`),
    sql` and `,
  );

type Texts = "issue_texts" | "comment_texts";

/** Longer texts are indexed immediately, because every search scans the waiting ones. */
const maxWaiting = 2_000;

/** The query builder's schema lacks the index tables, which are virtual in SQLite. */
const insertInto = (table: string, key: "rowid" | "id") =>
  compiled((tx: Tx, given: Slots<{ id: number; content: string }>) => {
    const query = sql`insert into ${sql.table(table)} (${sql.ref(key)}, content) values (${given.id}, ${given.content})`;
    return { compile: () => query.compile(tx.sql) };
  });
const insertsOf = (texts: Texts) => ({
  /** PostgreSQL needs only this table: its index has an internal pending list. */
  row: insertInto(texts, "id"),
  waiting: insertInto(`${texts}_waiting`, "id"),
  entered: insertInto(texts, "rowid"),
});
const inserts: Readonly<Record<Texts, ReturnType<typeof insertsOf>>> = { issue_texts: insertsOf("issue_texts"), comment_texts: insertsOf("comment_texts") };

const searchable = (text: string): string => fold(text.slice(0, maxIndexed));

/** Whether a timeline entry is searched: comments always, and texts of reviews and on lines. */
export const hasSearchText = ({ kind, content }: { readonly kind: string; readonly content: string }): boolean =>
  kind === "comment" || ((kind === "review" || kind === "code") && content !== "");

/** Adds a text to the search index, in the transaction that stores it. One statement. */
export async function insertSearchText(tx: Tx, texts: Texts, id: number, text: string): Promise<void> {
  const { row, waiting, entered } = inserts[texts];
  const insert = tx.dialect === "postgres" ? row : text.length <= maxWaiting ? waiting : entered;
  await insert(tx, { id, content: searchable(text) });
}

/** Replaces an indexed text. At most two statements. */
export async function replaceSearchText(tx: Tx, texts: Texts, id: number, text: string): Promise<void> {
  if (tx.dialect === "sqlite") {
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(`${texts}_waiting`)} where id = ${id}`.execute(tx.sql);
    if (numAffectedRows > 0n) return insertSearchText(tx, texts, id, text);
  }
  const key = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
  await sql`update ${sql.table(texts)} set content = ${searchable(text)} where ${key} = ${id}`.execute(tx.sql);
}
