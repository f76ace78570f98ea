/**
 * One step of the schema. Never changed once released; imports no live code.
 *
 * Statements are alike on both dialects but for these words:
 * `{id}` a primary key that the database counts up and never gives twice; `{int}` a 64-bit integer;
 * `{text}` a text that compares by its bytes; `{table}` the end of a table with strict types;
 * `{clustered}` the same for a table of small rows that is stored in the order of its primary key.
 */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: readonly (string | StatementByDialect)[];
}

/** For what the two have no common words for, such as triggers. Null: this database needs none. */
export interface StatementByDialect {
  readonly sqlite: string | null;
  readonly postgres: string | null;
}
