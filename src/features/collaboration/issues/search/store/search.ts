import { type RawBuilder, type SqlBool, sql } from "kysely";
import { compiled, type Slots } from "../../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import type { SearchedTexts, Sql } from "./list.ts";
import { allOf } from "./reviewed.ts";

/** The words of a search, folded. */
export type SearchWords = readonly string[];

const maxWords = 10;
/** Characters of a text that are found; what stands behind them is not looked for. */
const maxIndexed = 50_000;
/** The index knows sequences of three characters: shorter words are looked for in titles alone. */
const leastIndexed = 3;

/** Upper and lower case are one. The same on both databases, because neither has a say in it. */
const fold = (text: string): string => text.toLowerCase();

/** The words that a search asks for, all of which an issue has to have: each a part of its title, its text, or of one of its comments. */
export const searchWords = (text: string): SearchWords =>
  [
    ...new Set(
      fold(text)
        .split(/\s+/)
        .filter((word) => word !== ""),
    ),
  ].slice(0, maxWords);

const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, "\\$&")}%`;
/** A phrase of the index's query language: nothing in it is syntax. */
const phrase = (word: string): string => `"${word.replaceAll('"', '""')}"`;

const isShort = (word: string): boolean => [...word].length < leastIndexed;
const inTitle = (word: string): RawBuilder<SqlBool> => sql<SqlBool>`lower(i.title) like ${likePattern(word)} escape '\\'`;

/** Where a search looks. */
export interface SearchScope {
  readonly repoIds: readonly number[];
  /** Something else than words leaves few issues of them. */
  readonly isNarrow: boolean;
}

/**
 * Where the texts are that have all words; undefined where the index knows none of them ({@link shortlyTitled}).
 * What people type is a parameter, and never part of a query. One statement at most, on PostgreSQL for a single repository.
 */
export async function findTexts(db: Reader, words: SearchWords, place: SearchScope): Promise<readonly SearchedTexts[] | undefined> {
  const indexed = words.filter((word) => !isShort(word));
  if (indexed.length === 0) return undefined;
  const titled = words.filter(isShort).map(inTitle);
  const ends = await endsOf(db, place);
  return (db.dialect === "sqlite" ? indexedTexts(indexed) : scannedTexts(indexed)).map((texts) => {
    const within = ends === undefined ? [] : [sql<SqlBool>`${texts.issue} >= ${ends.first} and ${texts.issue} <= ${ends.last}`];
    return { ...texts, where: sql.join([texts.where, ...within, ...titled], sql` and `) };
  });
}

/**
 * Between which issues those of a single repository are: the index of texts knows nothing of repositories. PostgreSQL has to be told by numbers, or
 * it guesses badly how many that leaves; SQLite by what is an integer by type, which a number of JavaScript's is not.
 */
async function endsOf(db: Reader, { repoIds, isNarrow }: SearchScope): Promise<{ readonly first: Sql; readonly last: Sql } | undefined> {
  const [repoId, ...others] = repoIds;
  if (repoId === undefined || others.length > 0) return undefined;
  const end = (direction: "asc" | "desc") => db.sql.selectFrom("issues").select("id").where("repo_id", "=", repoId).orderBy("id", direction).limit(1);
  if (db.dialect === "sqlite") return { first: sql`${end("asc")}`, last: sql`${end("desc")}` };
  if (isNarrow) return undefined;
  const { first, last } = await db.sql.selectNoFrom([end("asc").as("first"), end("desc").as("last")]).executeTakeFirstOrThrow();
  return { first: sql`${first ?? 1}`, last: sql`${last ?? 0}` };
}

/** The issues `i` whose titles have all words, where all of them are too short for the index; undefined for other words. */
export const shortlyTitled = (words: SearchWords): RawBuilder<SqlBool> | undefined =>
  words.length > 0 && words.every(isShort) ? allOf(words.map(inTitle)) : undefined;

/** SQLite: what its index has, and what waits to be entered there. */
function indexedTexts(words: SearchWords): readonly SearchedTexts[] {
  const query = words.map(phrase).join(" AND ");
  const waiting = containsAll(words);
  return [
    { from: sql`issue_texts t`, where: sql`t.content match ${query}`, issue: sql`t.rowid`, key: sql`t.rowid` },
    { from: sql`comment_texts t cross join comments c`, where: sql`c.id = t.rowid and t.content match ${query}`, issue: sql`c.issue_id`, key: sql`t.rowid` },
    { from: sql`issue_texts_waiting t`, where: waiting, issue: sql`t.id`, key: sql`t.id` },
    { from: sql`comment_texts_waiting t cross join comments c`, where: sql`c.id = t.id and ${waiting}`, issue: sql`c.issue_id`, key: sql`t.id` },
  ];
}

/** PostgreSQL, which knows itself when its index helps. */
function scannedTexts(words: SearchWords): readonly SearchedTexts[] {
  const where = containsAll(words);
  return [
    { from: sql`issue_texts t`, where, issue: sql`t.id`, key: sql`t.id` },
    { from: sql`comment_texts t cross join comments c`, where: sql`c.id = t.id and ${where}`, issue: sql`c.issue_id`, key: sql`t.id` },
  ];
}

const containsAll = (words: SearchWords): Sql =>
  sql.join(
    words.map((word) => sql`t.content like ${likePattern(word)} escape '\\'`),
    sql` and `,
  );

type Texts = "issue_texts" | "comment_texts";

/** Longer texts are entered at once: every search reads those that wait. */
const maxWaiting = 2_000;

/** The rows of the index are no tables of the query builder: one of the databases makes them virtual. */
const insertInto = (table: string, key: "rowid" | "id") =>
  compiled((tx: Tx, given: Slots<{ id: number; content: string }>) => {
    const query = sql`insert into ${sql.table(table)} (${sql.ref(key)}, content) values (${given.id}, ${given.content})`;
    return { compile: () => query.compile(tx.sql) };
  });
const insertsOf = (texts: Texts) => ({
  /** What there is on PostgreSQL, whose index has a list like that inside. */
  row: insertInto(texts, "id"),
  waiting: insertInto(`${texts}_waiting`, "id"),
  entered: insertInto(texts, "rowid"),
});
const inserts: Readonly<Record<Texts, ReturnType<typeof insertsOf>>> = { issue_texts: insertsOf("issue_texts"), comment_texts: insertsOf("comment_texts") };

const searchable = (text: string): string => fold(text.slice(0, maxIndexed));

/** Makes a text findable, in the transaction that stores it. One statement. */
export async function insertSearchText(tx: Tx, texts: Texts, id: number, text: string): Promise<void> {
  const { row, waiting, entered } = inserts[texts];
  const insert = tx.dialect === "postgres" ? row : text.length <= maxWaiting ? waiting : entered;
  await insert(tx, { id, content: searchable(text) });
}

/** Puts another text in its place. Two statements at most. */
export async function replaceSearchText(tx: Tx, texts: Texts, id: number, text: string): Promise<void> {
  if (tx.dialect === "sqlite") {
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(`${texts}_waiting`)} where id = ${id}`.execute(tx.sql);
    if (numAffectedRows > 0n) return insertSearchText(tx, texts, id, text);
  }
  const key = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
  await sql`update ${sql.table(texts)} set content = ${searchable(text)} where ${key} = ${id}`.execute(tx.sql);
}
