import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from "kysely";
import type { DialectName, Reader, Tx } from "./db.ts";
import type { ShortQuery } from "./query-builder.ts";

/** Values passed to a compiled query: numbers and strings, and lists of them for `anyOf`. */
export type Given = Readonly<Record<string, GivenValue>>;
type GivenValue = number | string | null | readonly number[] | readonly string[];

/** Placeholders for the values of a compiled query. */
export type Slots<G extends Given> = { readonly [Name in keyof G]: RawBuilder<G[Name]> };

/** A placeholder among the parameters of a compiled query. */
class Slot {
  readonly name: string;
  /** Index of the row that the value belongs to. */
  readonly row: number;

  constructor(name: string, row: number) {
    this.name = name;
    this.row = row;
  }
}

const slotsOf = <G extends Given>(row: number): Slots<G> => new Proxy({} as Slots<G>, { get: (_target, name) => sql.val(new Slot(String(name), row)) });

/**
 * A query that is built once per dialect and then only filled in: building a query costs ten times as much as reading a row by its key.
 * For queries with a constant shape that run on every request.
 *
 *     const findByName = compiled(({ sql }, slots: Slots<{ name: string }>) => sql.selectFrom("accounts").selectAll().where("name_folded", "=", slots.name));
 *     const rows = await findByName(db, { name: "alice" });
 *
 * A query that writes is built from a `Tx`, and then accepts only a `Tx`.
 */
export function compiled<G extends Given, Row, R extends Reader = Reader>(
  build: (reader: R, slots: Slots<G>) => Compilable<Row>,
): (reader: R, given: G) => Promise<readonly Row[]> {
  const queryFor = builtOnce(build);
  return async (reader, given) => (await run<Row>(reader, queryFor(reader), [given])).rows;
}

/** The same for a statement that writes rows and returns none of them. @returns a function that returns their number */
export function compiledChange<G extends Given>(build: (tx: Tx, slots: Slots<G>) => Compilable<unknown>): (tx: Tx, given: G) => Promise<number> {
  const queryFor = builtOnce(build);
  return async (tx, given) => Number((await run(tx, queryFor(tx), [given])).numAffectedRows ?? 0);
}

function builtOnce<G extends Given, R extends Reader>(build: (reader: R, slots: Slots<G>) => Compilable<unknown>): (reader: R) => CompiledQuery {
  const built = new Map<DialectName, CompiledQuery>();
  const slots = slotsOf<G>(0);
  return (reader) => {
    const query = built.get(reader.dialect) ?? (build(reader, slots).compile() as CompiledQuery);
    built.set(reader.dialect, query);
    return query;
  };
}

/** Queries for more rows than this are rare, and are built on each use. */
const maxKeptRows = 4;

/**
 * The same for one statement that writes any number of rows of one shape.
 *
 *     const insertRows = compiledRows((tx, rows: readonly Slots<{ name: string }>[]) => tx.sql.insertInto("topics").values(rows.map(({ name }) => ({ name }))));
 */
export function compiledRows<G extends Given, Row>(
  build: (tx: Tx, rows: readonly Slots<G>[]) => Compilable<Row>,
): (tx: Tx, given: readonly G[]) => Promise<readonly Row[]> {
  const built = new Map<string, CompiledQuery>();
  return async (tx, given) => {
    const shape = `${tx.dialect} ${given.length}`;
    const query =
      built.get(shape) ??
      build(
        tx,
        given.map((_row, at) => slotsOf<G>(at)),
      ).compile();
    if (given.length <= maxKeptRows) built.set(shape, query);
    return (await run<Row>(tx, query, given)).rows;
  };
}

async function run<Row>(reader: Reader, query: CompiledQuery, given: readonly Given[]): Promise<QueryResult<Row>> {
  const parameters = query.parameters.map((parameter) => (parameter instanceof Slot ? givenValue(reader.dialect, given, parameter) : parameter));
  const short: ShortQuery = { ...query, parameters, isShort: true };
  return reader.sql.executeQuery<Row>(short);
}

function givenValue(dialect: DialectName, given: readonly Given[], { name, row }: Slot): unknown {
  const value = given[row]?.[name];
  if (value === undefined) throw new TypeError(`the query has no value for ${name}`);
  return dialect === "sqlite" && Array.isArray(value) ? JSON.stringify(value) : value;
}
