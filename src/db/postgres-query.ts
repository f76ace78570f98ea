import { type Client, type Connection, Query, type QueryResult } from "pg";

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
  name: string;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

type Callback = (error: Error | null, result: QueryResult) => void;

const DriverQuery = Query as unknown as new (text: string, values: unknown[], callback: Callback) => DriverQuery;

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

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
  /** The driver copies an object of settings property by property, which costs more than the rest of a query. */
  constructor({ name, text, values }: NamedStatement, callback: Callback) {
    super(text, values, callback);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    const { columns, silent } = preparedOn(connection);
    const known = columns.get(this.name);
    if (known !== undefined) {
      Object.assign(this._result, known);
      this._accumulateRows = true;
    }
    super.prepare(known === undefined ? connection : silent);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const { columns } = preparedOn(connection);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (!columns.has(this.name)) columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    super.handleCommandComplete(message, connection);
  }
}

/** Executes a statement that the connection prepares under a name, once. */
export const queryNamed = (client: Client, statement: NamedStatement): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(
      new NamedQuery(statement, (error, result) => {
        if (error === null) return resolve(result);
        // The stack of the driver leads to the socket.
        Error.captureStackTrace(error);
        reject(error);
      }) as unknown as Query,
    );
  });
