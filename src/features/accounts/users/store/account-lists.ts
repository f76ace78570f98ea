import { type RawBuilder, type SqlBool, sql } from "kysely";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import type { Visibility } from "../model.ts";

export interface AccountFilter {
  readonly kind: "user" | "organization";
  /** Part of a name, full name or email address; empty: all. */
  readonly text: string;
  readonly searchesEmail: boolean;
  readonly visibilities: readonly Visibility[];
  /** A query for the ids of accounts that are listed regardless of their visibility. */
  readonly alwaysIds?: RawBuilder<unknown> | undefined;
  /** A query for the ids of the accounts to list. */
  readonly chosenIds?: RawBuilder<unknown> | undefined;
  /** Further conditions on an account `a`. */
  readonly conditions?: readonly RawBuilder<SqlBool>[];
  readonly sort: AccountSort;
}

export interface AccountSort {
  readonly by: "name_folded" | "id" | "updated_ms";
  readonly direction: "asc" | "desc";
}

const opposite = { asc: "desc", desc: "asc" } as const;

/** Matches in the index of names that a search reads at most. */
const maxIndexed = 1_000;
/** Accounts that are compared with a frequent or short word, in the order of the list. */
const maxCompared = 1_000;
/** The index consists of trigrams. */
const leastIndexed = 3;

/**
 * Ids of a page of accounts, and their number. At most two statements. A list of all accounts has a stored total and is read from the nearer end of the
 * index of its order. A search reads the index of names; if a word is frequent, or too short for the index, it compares the first accounts of the list.
 */
export async function pageAccountIds(db: Reader, filter: AccountFilter, page: Page): Promise<Paged<number>> {
  if (filter.chosenIds !== undefined) return pageAmong(db, filter, sql`candidates (id) as (${filter.chosenIds})`, page);
  if (filter.text !== "") return pageAmong(db, filter, candidatesOf(db, filter), page);
  const total = await countAccounts(db, filter);
  const rest = total - page.offset;
  if (rest <= 0) return { items: [], total };
  if (page.offset <= total / 2) return { items: await readIds(db, filter, filter.sort, page), total };
  const reversed: AccountSort = { by: filter.sort.by, direction: opposite[filter.sort.direction] };
  const items = await readIds(db, filter, reversed, { limit: Math.min(page.limit, rest), offset: Math.max(0, rest - page.limit) });
  return { items: items.toReversed(), total };
}

interface CountedRow {
  readonly id: number;
  /** Of all rows, not only those of the page. */
  readonly total: number;
}

/** Sorts the candidates that match. @param candidates common table expressions, the last of which is `candidates` */
async function pageAmong(db: Reader, filter: AccountFilter, candidates: RawBuilder<unknown>, page: Page): Promise<Paged<number>> {
  const read = async (limit: number, offset: number): Promise<readonly CountedRow[]> => {
    const { rows } = await sql<CountedRow>`with ${candidates} select a.id, count(*) over () as total
      from candidates c ${inThisOrder(db)} accounts a on a.id = c.id where ${matching(filter)}
      order by ${orderOf(filter.sort)} limit ${limit} offset ${offset}`.execute(db.sql);
    return rows;
  };
  const rows = await read(page.limit, page.offset);
  const [first] = rows.length > 0 || page.offset === 0 ? rows : await read(1, 0);
  return { items: rows.map(({ id }) => Number(id)), total: Number(first?.total ?? 0) };
}

/** Accounts that can match a text. */
function candidatesOf(db: Reader, filter: AccountFilter): RawBuilder<unknown> {
  const { kind, sort } = filter;
  const word = foldName(filter.text);
  const isIndexed = [...word].length >= leastIndexed;
  const indexed = isIndexed ? indexedIds(db, filter) : beginningIds(filter, word);
  const compares = isIndexed ? sql`(select count(*) from indexed) >= ${maxIndexed}` : sql`1 = 1`;
  const first = sql`select a.id from accounts a where a.kind = ${kind} order by ${orderOf(sort)} limit case when ${compares} then ${maxCompared} else 0 end`;
  return sql`indexed (id) as materialized (${indexed}), candidates (id) as (select id from indexed union select id from (${first}) first_ones)`;
}

function indexedIds(db: Reader, { text, searchesEmail }: AccountFilter): RawBuilder<unknown> {
  const columns = searchesEmail ? ["name", "full_name", "email"] : ["name", "full_name"];
  if (db.dialect === "sqlite") {
    const query = `{${columns.join(" ")}} : "${foldName(text).replaceAll('"', '""')}"`;
    return sql`select t.rowid from account_texts t where t.account_texts match ${query} order by t.rowid desc limit ${maxIndexed}`;
  }
  const contains = columns.map((column) => sql`${sql.ref(`t.${column}`)} like ${likePattern(text)} escape '\\'`);
  return sql`select t.id from account_texts t where ${sql.join(contains, sql` or `)} order by t.id desc limit ${maxIndexed}`;
}

/** All names that begin with a text are less than the text followed by the last character. */
const beginningIds = ({ kind }: AccountFilter, word: string): RawBuilder<unknown> =>
  sql`select b.id from accounts b where b.kind = ${kind} and b.name_folded >= ${word} and b.name_folded < ${`${word}\u{10ffff}`}
    order by b.name_folded limit ${maxIndexed}`;

/** The stored total; accounts are counted one by one only with further conditions. */
async function countAccounts(db: Reader, filter: AccountFilter): Promise<number> {
  const { kind, visibilities, alwaysIds, conditions = [] } = filter;
  const shown = sql.join([...visibilities]);
  const always =
    alwaysIds === undefined
      ? sql`0`
      : sql`(select count(*) from accounts a where a.id in (${alwaysIds}) and a.kind = ${kind}
    and a.visibility not in (${shown}))`;
  const counted =
    conditions.length > 0
      ? sql<{ total: number }>`select count(*) as total from accounts a where ${matching(filter)}`
      : sql<{ total: number }>`select (select coalesce(sum(n), 0) from account_totals where kind = ${kind} and visibility in (${shown})) + ${always} as total`;
  const { rows } = await counted.execute(db.sql);
  return Number(rows[0]?.total ?? 0);
}

async function readIds(db: Reader, filter: AccountFilter, sort: AccountSort, { limit, offset }: Pick<Page, "limit" | "offset">): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select a.id from accounts a where ${matching(filter)}
    order by ${orderOf(sort)} limit ${limit} offset ${offset}`.execute(db.sql);
  return rows.map(({ id }) => Number(id));
}

/** Conditions on an account `a`. */
function matching({ kind, text, searchesEmail, visibilities, alwaysIds, conditions = [] }: AccountFilter): RawBuilder<unknown> {
  const always = alwaysIds === undefined ? sql`` : sql` or a.id in (${alwaysIds})`;
  const columns = [sql`a.name_folded`, sql`lower(a.full_name)`, ...(searchesEmail ? [sql`lower(a.email)`] : [])];
  const contains = columns.map((column) => sql`${column} like ${likePattern(text)} escape '\\'`);
  const found = text === "" ? [] : [sql`(${sql.join(contains, sql` or `)})`];
  return sql.join([sql`a.kind = ${kind}`, sql`(a.visibility in (${sql.join([...visibilities])})${always})`, ...found, ...conditions], sql` and `);
}

/** A join that SQLite does not reorder. */
const inThisOrder = (db: Reader): RawBuilder<unknown> => (db.dialect === "sqlite" ? sql`cross join` : sql`join`);

function orderOf({ by, direction }: AccountSort): RawBuilder<unknown> {
  const way = direction === "asc" ? sql`asc` : sql`desc`;
  return by === "id" ? sql`a.id ${way}` : sql`${sql.ref(`a.${by}`)} ${way}, a.id ${way}`;
}

/** Escapes LIKE wildcards; the escape character is `\`. */
const likePattern = (text: string): string => `%${foldName(text).replace(/[\\%_]/g, "\\$&")}%`;
