import { DatabaseSync } from "node:sqlite";

/** Ensures that only this process serves the database. The operating system releases it when the process ends, however it ends. */
export interface InstanceLock {
  release(): void;
}

/**
 * Takes the lock; undefined if another process has it.
 * The lock is an exclusive transaction on a tiny separate database: Node.js has no advisory file locks, but SQLite does.
 * @throws Error if the folder is not writable
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
