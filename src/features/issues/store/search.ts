import { type RawBuilder, type SqlBool, sql } from "kysely";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
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

/**
 * The issues `i` that have all words, as a condition; undefined where the index knows none of them ({@link shortlyTitled}).
 * What people type is a parameter, and never part of a query.
 */
export function found(db: Reader, words: SearchWords): RawBuilder<SqlBool> | undefined {
  const indexed = words.filter((word) => !isShort(word));
  if (indexed.length === 0) return undefined;
  return allOf([...words.filter(isShort).map(inTitle), db.dialect === "sqlite" ? matchIndexed(indexed) : likeIndexed(indexed)]);
}

/** The issues `i` whose titles have all words, where all of them are too short for the index; undefined for other words. */
export const shortlyTitled = (words: SearchWords): RawBuilder<SqlBool> | undefined =>
  words.length > 0 && words.every(isShort) ? allOf(words.map(inTitle)) : undefined;

function matchIndexed(words: SearchWords): RawBuilder<SqlBool> {
  const query = words.map(phrase).join(" AND ");
  return sql`i.id in (select t.rowid from issue_texts t where t.content match ${query}
    union all select c.issue_id from comment_texts t join comments c on c.id = t.rowid where t.content match ${query})`;
}

function likeIndexed(words: SearchWords): RawBuilder<SqlBool> {
  const all = sql.join(
    words.map((word) => sql`t.content like ${likePattern(word)}`),
    sql` and `,
  );
  return sql`i.id in (select t.id from issue_texts t where ${all}
    union all select c.issue_id from comment_texts t join comments c on c.id = t.id where ${all})`;
}

type Texts = "issue_texts" | "comment_texts";

/** The rows of the index are no tables of the query builder: one of the databases makes them virtual. */
const insertInto = (table: Texts) =>
  compiled((tx: Tx, given: Slots<{ id: number; content: string }>) => {
    const key = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
    const query = sql`insert into ${sql.table(table)} (${key}, content) values (${given.id}, ${given.content})`;
    return { compile: () => query.compile(tx.sql) };
  });
const inserts: Readonly<Record<Texts, ReturnType<typeof insertInto>>> = { issue_texts: insertInto("issue_texts"), comment_texts: insertInto("comment_texts") };

/** Makes a text findable, in the transaction that stores it. */
export async function insertSearchText(tx: Tx, table: Texts, id: number, text: string): Promise<void> {
  await inserts[table](tx, { id, content: fold(text.slice(0, maxIndexed)) });
}

/** Puts another text in its place. */
export async function replaceSearchText(tx: Tx, table: Texts, id: number, text: string): Promise<void> {
  const key = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
  await sql`update ${sql.table(table)} set content = ${fold(text.slice(0, maxIndexed))} where ${key} = ${id}`.execute(tx.sql);
}
