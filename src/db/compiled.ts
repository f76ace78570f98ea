import { type Compilable, type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { DialectName, Reader, Tx } from "./db.ts";

/** What a compiled query is given: numbers and texts, and lists of them for `anyOf`. */
export type Given = Readonly<Record<string, GivenValue>>;
type GivenValue = number | string | null | readonly number[] | readonly string[];

/** Where the values of a compiled query will stand. */
export type Slots<G extends Given> = { readonly [Name in keyof G]: RawBuilder<G[Name]> };

/** Stands among the parameters of a built query in place of a value. */
class Slot {
  readonly name: string;
  /** Of the row that it is a value of. */
  readonly row: number;

  constructor(name: string, row: number) {
    this.name = name;
    this.row = row;
  }
}

const slotsOf = <G extends Given>(row: number): Slots<G> => new Proxy({} as Slots<G>, { get: (_target, name) => sql.val(new Slot(String(name), row)) });

/**
 * A query that is built once per dialect and then only filled in: building one costs ten times what reading a row by its key does.
 * For queries whose shape never changes and that every request runs.
 *
 *     const findByName = compiled(({ sql }, slots: Slots<{ name: string }>) => sql.selectFrom("accounts").selectAll().where("name_folded", "=", slots.name));
 *     const rows = await findByName(db, { name: "alice" });
 *
 * One that writes is built from a `Tx`, and then takes nothing else.
 */
export function compiled<G extends Given, Row, R extends Reader = Reader>(
  build: (reader: R, slots: Slots<G>) => Compilable<Row>,
): (reader: R, given: G) => Promise<readonly Row[]> {
  const built = new Map<DialectName, CompiledQuery>();
  const slots = slotsOf<G>(0);
  return (reader, given) => {
    const query = built.get(reader.dialect) ?? build(reader, slots).compile();
    built.set(reader.dialect, query);
    return run<Row>(reader, query, [given]);
  };
}

/** More rows than this are rare: their query is built when there are some. */
const maxKeptRows = 4;

/**
 * The same for any number of rows of one shape, which one statement writes.
 *
 *     const insertRows = compiledRows((tx, rows: readonly Slots<{ name: string }>[]) => tx.sql.insertInto("topics").values(rows.map(({ name }) => ({ name }))));
 */
export function compiledRows<G extends Given, Row>(
  build: (tx: Tx, rows: readonly Slots<G>[]) => Compilable<Row>,
): (tx: Tx, given: readonly G[]) => Promise<readonly Row[]> {
  const built = new Map<string, CompiledQuery>();
  return (tx, given) => {
    const shape = `${tx.dialect} ${given.length}`;
    const query =
      built.get(shape) ??
      build(
        tx,
        given.map((_row, at) => slotsOf<G>(at)),
      ).compile();
    if (given.length <= maxKeptRows) built.set(shape, query);
    return run<Row>(tx, query, given);
  };
}

async function run<Row>(reader: Reader, query: CompiledQuery, given: readonly Given[]): Promise<readonly Row[]> {
  const parameters = query.parameters.map((parameter) => (parameter instanceof Slot ? givenValue(reader.dialect, given, parameter) : parameter));
  const { rows } = await reader.sql.executeQuery<Row>({ ...query, parameters });
  return rows;
}

function givenValue(dialect: DialectName, given: readonly Given[], { name, row }: Slot): unknown {
  const value = given[row]?.[name];
  if (value === undefined) throw new TypeError(`the query was given no ${name}`);
  return dialect === "sqlite" && Array.isArray(value) ? JSON.stringify(value) : value;
}
