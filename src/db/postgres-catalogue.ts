import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Whether PostgreSQL has a table. In a new connection this takes 1 ms of CPU time, and the view `pg_tables` 3 ms, because it reads four catalogues. */
export const tableExists = (name: string): RawBuilder<SqlBool> => sql<SqlBool>`to_regclass(quote_ident(current_schema()) || ${`.${name}`}) is not null`;
