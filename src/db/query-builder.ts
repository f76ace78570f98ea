import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { DialectName } from "./db.ts";
import type { Tables } from "./tables.ts";

/**
 * Runs one compiled statement: on the reading connection, a pool, or the connection of an open transaction.
 * @param isShort whether it may run behind others on their connection
 */
export type RunQuery = (sql: string, parameters: readonly unknown[], isShort: boolean) => Promise<QueryResult<unknown>>;

/** A query of a constant shape, which reads few rows by a key. */
export interface ShortQuery extends CompiledQuery {
  readonly isShort: true;
}

const dialects: Record<DialectName, Dialect> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};
const adapters = { sqlite: dialects.sqlite.createAdapter(), postgres: dialects.postgres.createAdapter() };
const compilers = { sqlite: dialects.sqlite.createQueryCompiler(), postgres: dialects.postgres.createQueryCompiler() };

/** Passes each query directly to `run`: skipping connections and plugins halves kysely's overhead of a point read. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #run: RunQuery;

  constructor(dialect: DialectName, run: RunQuery) {
    const connection: DatabaseConnection = {
      executeQuery: <R>(query: CompiledQuery) => run(query.sql, query.parameters, false) as Promise<QueryResult<R>>,
      streamQuery: () => {
        throw new Error("results are not streamed: read pages by key instead");
      },
    };
    super(compilers[dialect], adapters[dialect], { provideConnection: (consumer) => consumer(connection) });
    this.#run = run;
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query.sql, query.parameters, "isShort" in query) as Promise<QueryResult<R>>;
  }
}

/** A query builder whose statements go through `run`. Cheap: each transaction creates one. */
export function createQueryBuilder(dialect: DialectName, run: RunQuery): Kysely<Tables> {
  const config = { dialect: dialects[dialect] };
  return new Kysely<Tables>({ config, dialect: dialects[dialect], driver: dummyDriver, executor: new DirectExecutor(dialect, run) });
}

const dummyDriver = new DummyDriver();
