import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { copyRows } from "../src/app/copy-database.ts";
import { parsePostgresUrl } from "../src/config/postgres-url.ts";
import { systemClock } from "../src/core/clock.ts";
import type { Db } from "../src/db/db.ts";
import { migrate } from "../src/db/migrate.ts";
import { allMigrations } from "../src/db/migrations/all.ts";
import { openPostgres } from "../src/db/postgres.ts";
import { openSqlite } from "../src/db/sqlite.ts";
import { describeTable } from "../src/db/table-sums.ts";
import { planUpgrade } from "../src/db/upgrade-plan.ts";
import { silentLog } from "../test/kit/logs.ts";
import { readRecordedSchema } from "../test/kit/recorded-schemas.ts";
import { openOwnDatabase } from "./issue-site.ts";

const usage = `npm run bench -- upgrade [--from 16] [--rows 200000] [--postgres]

Fills the recorded schema of an earlier version with more issues, comments and activities, and upgrades it, one migration after another. Prints the rows
that each migration reads or writes, as \`hearth upgrade --check\` counts them, and how many of them it does in a second.`;

const { values } = parseArgs({
  options: { from: { type: "string", default: "16" }, rows: { type: "string", default: "200000" }, postgres: { type: "boolean" }, help: { type: "boolean" } },
});

/** Copies the rows of a table with new ids until it has a number of rows. */
async function multiply(db: Db, table: string, rows: number, changed: Readonly<Record<string, string>>): Promise<void> {
  const { columns } = await describeTable(db, table);
  const { rows: counted } = await sql<{ n: number; last: number }>`select count(*) as n, max(id) as last from ${sql.table(table)}`.execute(db.sql);
  const [have, last] = [Number(counted[0]?.n), Number(counted[0]?.last)];
  const times = Math.ceil(rows / have);
  const selected = columns.map((column) => (column === "id" ? `t.id + n.i * ${last}` : (changed[column]?.replaceAll("LAST", String(last)) ?? `t."${column}"`)));
  const names = columns.map((column) => `"${column}"`).join(", ");
  await db.tx(async (tx) => {
    if (tx.dialect === "postgres") await tx.script("set local statement_timeout = 0");
    await tx.script(
      `insert into ${table} (${names}) with recursive n (i) as (select 1 union all select i + 1 from n where i < ${times}) select ${selected.join(", ")} from ${table} t, n`,
    );
  });
}

async function measure(db: Db, url: string, from: number): Promise<void> {
  let [least, most, total] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let at = from + 1; at <= allMigrations.length; at += 1) {
    const { pending } = await planUpgrade(url, allMigrations.slice(0, at));
    const rows = pending.flatMap((one) => [...one.rows.values()]).reduce((sum, count) => sum + count, 0);
    const began = performance.now();
    await migrate(db, silentLog, allMigrations.slice(0, at));
    const seconds = (performance.now() - began) / 1_000;
    total += seconds;
    if (rows < 10_000) continue;
    const rate = rows / seconds;
    [least, most] = [Math.min(least, rate), Math.max(most, rate)];
    console.log(`  ${at} ${allMigrations[at - 1]?.name}: ${rows} rows in ${seconds.toFixed(2)} s, ${Math.round(rate)} per second`);
  }
  console.log(`${db.dialect}: ${Math.round(least)} to ${Math.round(most)} rows per second; all migrations ${total.toFixed(1)} s`);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-upgrade-"));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "data"));
  const [from, rows] = [Number(values.from), Number(values.rows)];
  const isPostgres = values.postgres === true;
  const url = isPostgres ? resources.use(await openOwnDatabase(folder)).url : join(folder, "hearth.db");
  await copyRows(readRecordedSchema(from), url, silentLog, { isArchive: true });
  const options = { log: silentLog, clock: systemClock };
  const db = isPostgres
    ? await openPostgres({ ...options, address: parsePostgresUrl(url), poolSize: 2 })
    : await openSqlite({ ...options, path: url, mode: "exclusive" });
  resources.defer(() => db.close());
  await multiply(db, "issues", rows, { number: "t.number + n.i * LAST" });
  await multiply(db, "comments", rows, {});
  await multiply(db, "activities", rows, {});
  await measure(db, isPostgres ? url : `sqlite:${url}`, from);
}

if (values.help === true) console.log(usage);
else await main();
