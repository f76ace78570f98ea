import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/db/open.ts";
import { writeHostileHome } from "./hostile.ts";
import { silentLog } from "./logs.ts";
import { findPostgres, type PostgresCluster, startPostgres } from "./postgres-cluster.ts";
import { scratchFolder } from "./scratch.ts";

/** Shared by all tests of a run: a migrated SQLite file to copy and a PostgreSQL server with a migrated template. */
export interface SharedDatabases {
  readonly sqliteTemplate: string;
  /** The folder of the server's socket; a file `ready` or `failed` signals the result. Undefined if PostgreSQL is not installed. */
  readonly postgres: string | undefined;
}

declare module "vitest" {
  interface ProvidedContext {
    databases: SharedDatabases;
  }
}

export const templateName = "hearth_template";

/** @public Called by vitest once per run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = mkdtempSync(join(scratchFolder(), "hearth-"));
  // The server runs as another user if the tests run as root.
  chmodSync(root, 0o711);
  // For the workers, which start after this, and their child processes.
  isolateEnvironment(root);
  const sqliteTemplate = join(root, "template.db");
  const binaries = findPostgres();
  const postgres = binaries === undefined ? undefined : join(root, "pg");
  // Not awaited: most files of a run do not need the server, or not immediately.
  const starting = binaries === undefined || postgres === undefined ? Promise.resolve(undefined) : startTemplate(binaries, postgres, root);
  const db = await openDatabase({ url: sqliteTemplate, log: silentLog });
  await db.close();
  project.provide("databases", { sqliteTemplate, postgres });
  return async () => {
    await (await starting)?.stop();
    rmSync(root, { recursive: true, force: true });
  };
}

/** Test settings that a caller may set; other `HEARTH_` variables are for a server. */
const knownSettings = new Set(["HEARTH_GALLERY", "HEARTH_TEST_BROWSER", "HEARTH_BENCH_BUNDLE", "HEARTH_CONFORMANCE"]);

/** Replaces temporary folder, home and git settings, whatever the machine's are. Keeps time zone, language and umask. */
function isolateEnvironment(root: string): void {
  for (const name of Object.keys(process.env)) {
    if (/^(?:GIT|XDG|SSH|GPG)_/.test(name) || name === "GNUPGHOME" || (name.startsWith("HEARTH_") && !knownSettings.has(name))) delete process.env[name];
  }
  const home = join(root, "home");
  mkdirSync(home);
  writeHostileHome(home);
  Object.assign(process.env, { TMPDIR: root, HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_ATTR_NOSYSTEM: "1" });
}

async function startTemplate(binaries: string, folder: string, root: string): Promise<PostgresCluster | undefined> {
  try {
    const cluster = await startPostgres(binaries, folder);
    const client = new Client({ connectionString: cluster.urlOf("postgres") });
    await client.connect();
    await client.query(`create database ${templateName}`);
    await client.end();
    const db = await openDatabase({ url: cluster.urlOf(templateName), log: silentLog });
    await db.close();
    writeFileSync(join(root, "ready"), "");
    return cluster;
  } catch (error) {
    writeFileSync(join(root, "failed"), error instanceof Error ? (error.stack ?? error.message) : String(error));
    return undefined;
  }
}
