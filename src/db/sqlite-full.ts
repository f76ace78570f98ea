import { beginImmediate, type SqliteBatch } from "./sqlite-batch.ts";
import { openSqliteConnection } from "./sqlite-connection.ts";
import { connectionSettings, type DurableSqlite } from "./sqlite-durability.ts";

/**
 * A database whose durability is SQLite's own (`durability: "full"`): COMMIT syncs the log and checkpoints run within it, on the event loop.
 * After a failed sync, SQLite alone decides which of the last changes survive.
 */
export function openFullSqlite(path: string): DurableSqlite {
  const writer = openSqliteConnection(path, { timeout: 0, enableForeignKeyConstraints: true });
  const open = (() => {
    try {
      writer.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864; ${connectionSettings}`);
      const reader = openSqliteConnection(path, { timeout: 1_000, readOnly: true });
      reader.exec(connectionSettings);
      return { reader };
    } catch (error) {
      writer.close();
      throw error;
    }
  })();
  let isClosed = false;
  const whileOpen = <T>(value: T): T => {
    if (isClosed) throw new Error("the database is closed");
    return value;
  };
  return {
    writer: () => whileOpen(writer),
    reader: () => whileOpen(open.reader),
    idleWriter: () => whileOpen(writer),
    durable: async () => {},
    async close() {
      if (isClosed) return;
      isClosed = true;
      open.reader.close();
      writer.close();
    },
  };
}

/** Transactions with a COMMIT of their own. */
export function createSeparateCommits(sqlite: Pick<DurableSqlite, "writer">): SqliteBatch {
  let isRunning = false;
  return {
    async join() {
      const writer = await beginImmediate(sqlite);
      isRunning = true;
      return {
        writer,
        keep() {
          writer.run("commit", []);
          isRunning = false;
          return Promise.resolve();
        },
        undo() {
          isRunning = false;
          if (writer.isTransaction) writer.run("rollback", []);
        },
      };
    },
    commit() {},
    isOpen: () => isRunning,
    closed: async () => {},
  };
}
