/** A connection, with rows as the driver returns them. */
export interface ForeignSource {
  all(statement: string, parameters?: readonly (string | number)[]): Promise<readonly Record<string, unknown>[]>;
  hasTable(name: string): Promise<boolean>;
  close(): Promise<void>;
}
