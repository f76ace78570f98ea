import { type RawBuilder, type SqlBool, sql } from "kysely";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";

/** Names and descriptions are searched together with topics; `topics` requires a topic of exactly this name. */
export interface SearchedText {
  readonly value: string;
  readonly within: "names" | "names and descriptions" | "topics";
}

/** Each keyword adds conditions to the statement; further keywords are ignored. */
const maxKeywords = 20;

/** @compat commas separate keywords, of which one has to match (repos/api/descriptions.test.ts) */
function keywordsOf({ value }: SearchedText): readonly string[] {
  const keywords = value.split(",", maxKeywords).map((keyword) => keyword.trim());
  const given = keywords.filter((keyword) => keyword !== "");
  return given.length === 0 ? [value.trim()] : given;
}

/** Escapes LIKE wildcards with `\`. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
const contains = (column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> => sql`${column} like ${likePattern(foldName(text))} escape '\\'`;

/** Whether a repository `r` matches. */
export const matches = (text: SearchedText): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    keywordsOf(text).map((keyword) => matchesKeyword(keyword, text.within)),
    sql` or `,
  )})`;

function matchesKeyword(value: string, within: SearchedText["within"]): RawBuilder<SqlBool> {
  if (within === "topics") return hasTopic(sql`t.name = ${value.toLowerCase()}`);
  const address = addressOf(value);
  const isOwned = (owner: string): RawBuilder<SqlBool> =>
    sql`exists (select 1 from accounts a where a.id = r.owner_id and ${contains(sql`a.name_folded`, owner)})`;
  const byAddress = address === undefined ? sql`` : sql` or (${contains(sql`r.name_folded`, address.name)} and ${isOwned(address.owner)})`;
  const byDescription = within === "names" ? sql`` : sql` or ${contains(sql`lower(r.description)`, value)}`;
  return sql`(${contains(sql`r.name_folded`, value)}${byAddress}${byDescription} or ${hasTopic(contains(sql`t.name`, value))})`;
}

/** A keyword as `owner/name`. */
function addressOf(value: string): { readonly owner: string; readonly name: string } | undefined {
  const [owner = "", name, ...more] = value.split("/");
  return name === undefined || more.length > 0 ? undefined : { owner, name };
}

const hasTopic = (isWanted: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql`exists (select 1 from repository_topics rt join topics t on t.id = rt.topic_id where rt.repo_id = r.id and ${isWanted})`;

/** The index consists of trigrams. */
const leastIndexed = 3;

const isShort = (word: string): boolean => [...word].length < leastIndexed;

/** Whether the index yields all matches: every keyword is long enough, or has a long enough owner or name. */
export const isIndexed = (text: SearchedText): boolean => text.within === "topics" || keywordsOf(text).every((keyword) => phrasesOf(keyword).length > 0);

interface Phrase {
  readonly column: "name" | "owner";
  readonly text: string;
}

/** The indexed parts of a keyword: that of an address are parts of the owner and of the name. */
function phrasesOf(keyword: string): readonly Phrase[] {
  const address = addressOf(keyword);
  const phrases: readonly Phrase[] =
    address === undefined
      ? [{ column: "name", text: keyword }]
      : [
          { column: "owner", text: address.owner },
          { column: "name", text: address.name },
        ];
  return phrases.filter(({ text }) => !isShort(text));
}

/** An index that yields repositories which can match. */
export interface IndexedWords {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  /** The id of the repository. */
  readonly key: RawBuilder<unknown>;
  /** The index yields its matches in these orders. An index without the age of repositories has the same order for both. */
  readonly orders: Readonly<Record<"newest" | "oldest", RawBuilder<unknown>>>;
}

/** The indexes for the keywords. Names that begin with a short keyword are in the index of names. */
export function readWords(db: Reader, text: SearchedText): readonly IndexedWords[] {
  const keywords = keywordsOf(text);
  if (text.within === "topics") return keywords.map(ofTopic);
  const indexed = keywords.filter((keyword) => phrasesOf(keyword).length > 0);
  const short = keywords.filter((keyword) => phrasesOf(keyword).length === 0 && !keyword.includes("/"));
  const hasDescriptions = text.within === "names and descriptions";
  const begins = short.map((keyword) => beginsWith(foldName(keyword)));
  if (indexed.length === 0) return begins;
  return [
    ...(db.dialect === "sqlite" ? textsInSqlite(indexed, hasDescriptions) : [scannedTexts(sql`repository_texts t`, indexed, hasDescriptions)]),
    ...begins,
  ];
}

const ofTopic = (name: string): IndexedWords => ({
  from: sql`topics t cross join repository_topics rt`,
  where: sql`t.name = ${name.toLowerCase()} and rt.topic_id = t.id`,
  key: sql`rt.repo_id`,
  orders: byAge(sql`rt.repo_id`),
});

const byAge = (id: RawBuilder<unknown>): IndexedWords["orders"] => ({ newest: sql`${id} desc`, oldest: sql`${id}` });
const byName = sql`p.name_folded, p.id`;

/** All names that begin with a text are less than the text followed by the last character. */
const beginsWith = (text: string): IndexedWords => ({
  from: sql`repositories p`,
  where: sql`p.name_folded >= ${text} and p.name_folded < ${`${text}\u{10ffff}`}`,
  key: sql`p.id`,
  orders: { newest: byName, oldest: byName },
});

/** SQLite: the full-text index, and the table of texts that are not indexed yet. */
const textsInSqlite = (keywords: readonly string[], hasDescriptions: boolean): readonly IndexedWords[] => [
  {
    from: sql`repository_texts t`,
    where: sql`t.repository_texts match ${keywords.map((keyword) => queryOf(foldName(keyword), hasDescriptions)).join(" OR ")}`,
    key: sql`t.rowid`,
    orders: byAge(sql`t.rowid`),
  },
  scannedTexts(sql`repository_texts_waiting t`, keywords, hasDescriptions),
];

/** A query of phrases in the language of the full-text index. */
function queryOf(keyword: string, hasDescriptions: boolean): string {
  const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const others = `topics${hasDescriptions ? " description" : ""}`;
  if (addressOf(keyword) === undefined) return `({name ${others}} : ${phrase(keyword)})`;
  const byAddress = phrasesOf(keyword).map(({ column, text }) => `{${column}} : ${phrase(text)}`);
  return `((${byAddress.join(" AND ")}) OR ({${others}} : ${phrase(keyword)}))`;
}

/** A table of texts. PostgreSQL decides itself whether to use its index. */
function scannedTexts(from: RawBuilder<unknown>, keywords: readonly string[], hasDescriptions: boolean): IndexedWords {
  const conditions = keywords.map((keyword) => {
    const byName = phrasesOf(keyword).map(({ column, text }) => contains(sql.ref(`t.${column}`), text));
    const byDescription = hasDescriptions ? sql` or ${contains(sql`t.description`, keyword)}` : sql``;
    return sql`(${sql.join(byName, sql` and `)}) or ${contains(sql`t.topics`, keyword)}${byDescription}`;
  });
  return { from, where: sql`(${sql.join(conditions, sql` or `)})`, key: sql`t.id`, orders: byAge(sql`t.id`) };
}
