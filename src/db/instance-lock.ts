import { DatabaseSync } from "node:sqlite";

/** Says that this process alone serves the database. The operating system releases it with the process, however that ends. */
export interface InstanceLock {
  release(): void;
}

/**
 * Takes the lock, or returns undefined when another process holds it.
 * The lock is an exclusive transaction on a tiny database of its own: node has no advisory file locks, and SQLite does.
 * @throws Error when the folder cannot be written
 */
export function takeInstanceLock(path: string): InstanceLock | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec("pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    database?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === 5) return undefined;
    throw error;
  }
  const held = database;
  return {
    release() {
      if (held.isOpen) held.close();
    },
  };
}
