import { sql } from "kysely";
import type { Clock } from "../core/clock.ts";
import type { Reader } from "./db.ts";

export interface ServerCheck {
  /** `PostgreSQL 15.14` */
  readonly version: string;
  /** Each names the change that the operator should make. */
  readonly problems: readonly string[];
}

/** Leases and expiry times are compared between machines. */
const maxSkewMs = 1_000;

/** The database server as a machine of its own; undefined for an embedded database. */
export interface ServerClock {
  /** `PostgreSQL 15.14` */
  readonly version: string;
  /** At least; positive if its clock is ahead of the clock of this machine. */
  readonly skewMs: number;
  readonly isSkewed: boolean;
}

export async function readServerClock(db: Reader, clock: Clock): Promise<ServerClock | undefined> {
  if (db.dialect === "sqlite") return undefined;
  const beforeMs = clock.now();
  const { rows } = await sql<{ version: string; nowMs: number }>`
    select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::bigint as "nowMs"`.execute(db.sql);
  const afterMs = clock.now();
  const { version = "", nowMs = afterMs } = rows[0] ?? {};
  const ahead = nowMs - (beforeMs + afterMs) / 2;
  // The server read its clock at some moment of the round trip.
  const skewMs = Math.abs(ahead) - (afterMs - beforeMs) / 2;
  return { version: `PostgreSQL ${version.split(" ")[0]}`, skewMs: ahead > 0 ? skewMs : -skewMs, isSkewed: skewMs > maxSkewMs };
}

/** Checks the database server; undefined for an embedded database. */
export async function checkServer(db: Reader, clock: Clock): Promise<ServerCheck | undefined> {
  const server = await readServerClock(db, clock);
  if (server === undefined) return undefined;
  const { version, skewMs, isSkewed } = server;
  const difference = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? "ahead of" : "behind"}`;
  const problem = `the clock of PostgreSQL is ${difference} the clock of this machine: synchronize both, for example with chrony`;
  return { version, problems: isSkewed ? [problem] : [] };
}
