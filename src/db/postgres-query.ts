import { type Client, type Connection, Query, type QueryConfig, type QueryResult } from "pg";

/** The driver's result: the types of the driver omit the columns that it prepares for reading rows. */
interface DriverResult extends QueryResult {
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

type Columns = Pick<DriverResult, "fields" | "_parsers" | "_prebuiltEmptyResultObject">;

/** The protected part of the driver's query. */
interface DriverQuery {
  _result: DriverResult;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

const DriverQuery = Query as unknown as new (config: QueryConfig, callback: (error: Error | null, result: QueryResult) => void) => DriverQuery;

/** The prepared statements of a connection. */
interface Prepared {
  /** The columns of each statement that was executed, by its name. They never change: PostgreSQL refuses a statement whose columns would. */
  readonly columns: Map<string, Columns>;
  /** The connection without requests for descriptions. */
  readonly silent: Connection;
}

const preparedOf = new WeakMap<Connection, Prepared>();

function preparedOn(connection: Connection): Prepared {
  let prepared = preparedOf.get(connection);
  if (prepared === undefined) {
    prepared = { columns: new Map(), silent: Object.create(connection, { describe: { value: () => undefined } }) };
    preparedOf.set(connection, prepared);
  }
  return prepared;
}

/**
 * A named statement that requests the description of its columns only once per connection. The driver requests it for each execution: a
 * fifth of the CPU time of a small request is spent on it.
 */
class NamedQuery extends DriverQuery {
  readonly #name: string;

  constructor(config: QueryConfig & { readonly name: string }, callback: (error: Error | null, result: QueryResult) => void) {
    super(config, callback);
    this.#name = config.name;
  }

  override prepare(connection: Connection): void {
    const { columns, silent } = preparedOn(connection);
    const known = columns.get(this.#name);
    if (known !== undefined) {
      Object.assign(this._result, known);
      this._accumulateRows = true;
    }
    super.prepare(known === undefined ? connection : silent);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const { columns } = preparedOn(connection);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (!columns.has(this.#name)) columns.set(this.#name, { fields, _parsers, _prebuiltEmptyResultObject });
    super.handleCommandComplete(message, connection);
  }
}

/** Executes a statement that the connection prepares under a name, once. */
export const queryNamed = (client: Client, config: QueryConfig & { readonly name: string }): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(
      new NamedQuery(config, (error, result) => {
        if (error === null) return resolve(result);
        // The stack of the driver leads to the socket.
        Error.captureStackTrace(error);
        reject(error);
      }) as unknown as Query,
    );
  });
