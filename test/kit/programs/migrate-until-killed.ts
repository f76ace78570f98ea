import { flushCompileCache } from "node:module";
import { isPostgresUrl, parsePostgresUrl } from "../../../src/config/postgres-url.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Db, Tx } from "../../../src/db/db.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { allMigrations } from "../../../src/db/migrations/all.ts";
import { openPostgres } from "../../../src/db/postgres.ts";
import { openSqlite } from "../../../src/db/sqlite.ts";
import { silentLog } from "../logs.ts";

// Runs one migration of a database, and is killed at a step of it: after each of its indexes, after none or some of its statements, or when it is
// recorded, right before COMMIT.

const [url = "", id = "", step = ""] = process.argv.slice(2);
const migration = allMigrations[Number(id) - 1];
if (migration === undefined) throw new Error(`there is no migration ${id}`);
const indexes = migration.indexes?.length ?? 0;
const at = Number(step);
const isBeforeCommit = at > indexes + migration.statements.length;
const statements = at < indexes ? migration.statements : migration.statements.slice(0, at - indexes);

async function die(): Promise<never> {
  // Node.js would write it at an exit.
  flushCompileCache();
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
}

const options = { log: silentLog, clock: systemClock };
const db = isPostgresUrl(url)
  ? await openPostgres({ ...options, address: parsePostgresUrl(url), poolSize: 2 })
  : await openSqlite({ ...options, path: url, mode: "exclusive" });
let scripts = 0;
const isKilledAt = (): boolean => scripts === Math.min(at, indexes) + 1;
const killing = Object.create(db, {
  tx: {
    value: <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      db.tx(async (tx) => {
        const script = async (text: string): Promise<void> => {
          await tx.script(text);
          scripts += 1;
          if (isKilledAt() && !isBeforeCommit) await die();
        };
        const result = await work(Object.create(tx, { script: { value: script } }) as Tx);
        if (isBeforeCommit && scripts === indexes + 1) await die();
        return result;
      }),
  },
}) as Db;
await migrate(killing, silentLog, [...allMigrations.slice(0, migration.id - 1), { ...migration, statements }]);
