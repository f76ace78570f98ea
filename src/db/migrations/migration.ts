/**
 * A step of the schema. It never changes once released, and imports no other code of the program.
 *
 * Statements are the same on both dialects except for these placeholders:
 * `{id}` a generated primary key that is never reused; `{int}` a 64-bit integer;
 * `{text}` a string that is compared by its bytes; `{table}` the end of a table with strict types;
 * `{clustered}` the same for a table of small rows that is stored in the order of its primary key.
 */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /**
   * `create index` statements on tables that exist before the migration, run before `statements`, each in a transaction of its own. On
   * PostgreSQL, servers can write to the table meanwhile. An index on a new column belongs to the migration after the one that adds it.
   */
  readonly indexes?: readonly string[];
  readonly statements: readonly (string | StatementByDialect)[];
  /**
   * The number of migrations that a program must know to run with the schema afterwards, if the migration removes or restricts something
   * that older programs use. Undefined: the migration only adds, and all programs since migration {@link firstCompatible} can run.
   */
  readonly oldestProgram?: number;
}

/** Programs with fewer migrations refuse each newer schema. */
export const firstCompatible = 50;

/** Statements without a common syntax, such as triggers. Null: not needed for this database. */
export interface StatementByDialect {
  readonly sqlite: string | null;
  readonly postgres: string | null;
}
