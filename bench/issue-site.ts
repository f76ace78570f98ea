import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { createForge, type Forge } from "../src/app/forge.ts";
import { loadConfig } from "../src/config/config.ts";
import { inject } from "../test/kit/inject.ts";
import { findPostgres, startPostgres } from "../test/kit/postgres-cluster.ts";

const token = "b".repeat(40);

/** A forge of this process, and its database as its operator sees it. */
export interface Site extends AsyncDisposable {
  readonly forge: Forge;
  call(method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<{ readonly json: unknown; readonly total: number }>;
  /** Runs a statement that no transaction of the forge's could; nothing where the database is SQLite. */
  maintain<Row = object>(statement: string): Promise<readonly Row[]>;
}

/** @param isPostgres uses a PostgreSQL server of its own in the directory; otherwise HEARTH_DATABASE_URL, whose default is SQLite */
export async function openSite(directory: string, isPostgres: boolean): Promise<Site> {
  await using resources = new AsyncDisposableStack();
  const { PATH = "", HEARTH_DATABASE_URL = "" } = process.env;
  const url = isPostgres ? resources.use(await openOwnDatabase(directory)).url : HEARTH_DATABASE_URL;
  const administrator = { HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_EMAIL: "chief@example.com", HEARTH_ADMIN_PASSWORD: token, HEARTH_ADMIN_TOKEN: token };
  const settings = { HEARTH_DATA: directory, HEARTH_DATABASE_URL: url, HEARTH_PORT: "0", HEARTH_SSH_ENABLED: "false", HEARTH_LOG_LEVEL: "error" };
  const forge = resources.use(await createForge(loadConfig({ PATH, ...settings, ...administrator })));
  if (isPostgres) admitDatabase(directory);
  const kept = resources.move();
  return {
    forge,
    async call(method, path, body) {
      const headers = { authorization: `token ${token}` };
      const answer = await inject(forge.http, { method, url: `/api/v1${path}`, headers, ...(body && { payload: body }) });
      if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
      return { json: answer.body === "" ? undefined : answer.json(), total: Number(answer.headers["x-total-count"] ?? 0) };
    },
    maintain: async (statement) => (url === "" ? [] : run(url, statement)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const database = "lists";

/** A PostgreSQL server that is used by one forge alone. */
export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/**
 * Lets PostgreSQL pass through the data directory: if this process runs as root, it runs as another user. A start of Hearth makes the directory
 * private again, and PostgreSQL would end at its next checkpoint.
 */
export const admitDatabase = (directory: string): void => chmodSync(directory, 0o711);

/** Starts PostgreSQL with the data that an earlier run has left in the directory, or with an empty database. */
export async function openOwnDatabase(directory: string): Promise<OwnDatabase> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error("PostgreSQL is not installed on this machine");
  admitDatabase(directory);
  const folder = join(directory, "pg");
  const isNew = !existsSync(folder);
  const cluster = await startPostgres(binaries, folder);
  if (isNew) await run(cluster.urlOf("postgres"), `create database ${database}`);
  const pid = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
  return { url: cluster.urlOf(database), pid, [Symbol.asyncDispose]: () => cluster.kill() };
}

async function run<Row>(url: string, statement: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as readonly Row[];
  } finally {
    await client.end();
  }
}
