import { isPostgresUrl, parsePostgresUrl } from "../../../src/config/postgres-url.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Log } from "../../../src/core/log.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { allMigrations } from "../../../src/db/migrations/all.ts";
import { openPostgres } from "../../../src/db/postgres.ts";
import { openSqlite } from "../../../src/db/sqlite.ts";
import { silentLog } from "../logs.ts";

// Migrates a database and is killed after some statements or migrations. The database is empty, or has the first migration only.

const [url = "", from, unit, count = ""] = process.argv.slice(2);
let left = Number.POSITIVE_INFINITY;

const step = (passed: "statement" | "migration"): void => {
  if (passed !== unit) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
};

const log: Log = { ...silentLog, info: () => step("migration") };
const options = { log, clock: systemClock, onStatement: () => step("statement") };
const db = isPostgresUrl(url)
  ? await openPostgres({ ...options, address: parsePostgresUrl(url), poolSize: 2 })
  : await openSqlite({ ...options, path: url, mode: "exclusive" });
if (from === "old") await migrate(db, silentLog, allMigrations.slice(0, 1));
left = Number(count);
await migrate(db, log, allMigrations);
