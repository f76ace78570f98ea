import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Pool } from "pg";
import { describe, inject } from "vitest";
import type { Db, DialectName } from "../../src/db/db.ts";
import { type OpenDatabaseOptions, openDatabase } from "../../src/db/open.ts";
import { templateName } from "./global-setup.ts";
import { silentLog } from "./logs.ts";
import { clusterUrl } from "./postgres-cluster.ts";

/** A fresh, migrated database that is not open. It is deleted when disposed of. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  open(options?: Partial<OpenDatabaseOptions>): Promise<Db>;
}

export interface OpenTestDatabase extends TestDatabase {
  readonly db: Db;
}

export interface TestDialect {
  readonly name: DialectName;
  create(): Promise<TestDatabase>;
  /** Like {@link create}, without any table. */
  createEmpty(): Promise<TestDatabase>;
  /** Like {@link create}, but open. Disposing closes all connections. */
  open(options?: Partial<OpenDatabaseOptions>): Promise<OpenTestDatabase>;
}

/**
 * Runs a body of tests once per dialect, each in its own `describe`. PostgreSQL is skipped, visibly, if it is not available.
 * eachDialect((dialect) => {
 * test("...", async () => {
 * await using database = await dialect.open();
 */
export function eachDialect(body: (dialect: TestDialect) => void): void {
  describe("sqlite", () => body(sqlite));
  onPostgres(body);
}

/**
 * Like {@link eachDialect}, on SQLite only, for tests of git, its protocols or files: other tests run the same statements on both
 * dialects.
 */
export function onSqlite(body: (dialect: TestDialect) => void): void {
  describe("sqlite", () => body(sqlite));
}

/** Like {@link eachDialect}, on PostgreSQL only. */
export function onPostgres(body: (dialect: TestDialect) => void): void {
  const { postgres } = inject("databases");
  const name = postgres === undefined ? "postgres (skipped: this machine has no postgres and initdb)" : "postgres";
  describe.skipIf(postgres === undefined)(name, () => body(postgresAt(postgres ?? "")));
}

const opener = (create: () => Promise<TestDatabase>) => async (options?: Partial<OpenDatabaseOptions>) => {
  const database = await create();
  return { ...database, db: await database.open(options), [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
};

/** Opens databases at one URL and closes them all before `remove`. */
function testDatabase(url: string, remove: () => Promise<void>): TestDatabase {
  const opened: Db[] = [];
  return {
    url,
    async open(options) {
      const db = await openDatabase({ url, log: silentLog, ...options });
      opened.push(db);
      return db;
    },
    async [Symbol.asyncDispose]() {
      for (const db of opened) await db.close();
      await remove();
    },
  };
}

function createSqlite(template: string | undefined): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "hearth-db-"));
  const path = join(folder, "hearth.db");
  if (template !== undefined) copyFileSync(template, path);
  return testDatabase(path, async () => rmSync(folder, { recursive: true, force: true }));
}

const createMigratedSqlite = async (): Promise<TestDatabase> => createSqlite(inject("databases").sqliteTemplate);

export const sqlite: TestDialect = {
  name: "sqlite",
  create: createMigratedSqlite,
  createEmpty: async () => createSqlite(undefined),
  open: opener(createMigratedSqlite),
};

/** SQLite whose databases are copies of a file, which no server uses. */
export function sqliteCopiedFrom(template: string): TestDialect {
  const create = async (): Promise<TestDatabase> => createSqlite(template);
  return { ...sqlite, create, open: opener(create) };
}

const createFullSqlite = async (): Promise<TestDatabase> => {
  const database = await createMigratedSqlite();
  return { ...database, open: (options) => database.open({ durability: "full", ...options }) };
};

/** SQLite that syncs each commit by itself. */
export const fullSqlite: TestDialect = { ...sqlite, create: createFullSqlite, open: opener(createFullSqlite) };

function postgresAt(folder: string): TestDialect {
  const create = (): Promise<TestDatabase> => createPostgres(folder, templateName);
  return { name: "postgres", create, createEmpty: () => createPostgres(folder, "template0"), open: opener(create) };
}

async function createPostgres(folder: string, template: string): Promise<TestDatabase> {
  await serverReady(folder);
  const administration = administrationOf(folder);
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  // Copying the files takes half the CPU time of the default of PostgreSQL 15, which logs each page. Earlier versions always copy files.
  copying ??= administration.query("show server_version_num").then(({ rows }) => (Number(rows[0]?.server_version_num) >= 150_000 ? "strategy file_copy" : ""));
  await administration.query(`create database ${name} template ${template} ${await copying}`);
  return testDatabase(clusterUrl(folder, name), async () => void (await administration.query(`drop database ${name} with (force)`)));
}

let administration: Pool | undefined;
let copying: Promise<string> | undefined;

/** One connection for all databases that this process creates. It does not keep the process alive. */
function administrationOf(folder: string): Pool {
  administration ??= new Pool({ connectionString: clusterUrl(folder, "postgres"), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server is stopped at the end of the run.
  if (administration.listenerCount("error") === 0) administration.on("error", () => undefined);
  return administration;
}

async function serverReady(folder: string): Promise<void> {
  const root = dirname(folder);
  for (const deadline = Date.now() + 60_000; !existsSync(join(root, "ready")); ) {
    if (existsSync(join(root, "failed"))) throw new Error(readFileSync(join(root, "failed"), "utf8"));
    if (Date.now() > deadline) throw new Error("the PostgreSQL server of this run does not get ready");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Records the statements executed during `during`. Pass `onStatement` to the function that opens the database. */
export interface StatementRecorder {
  onStatement(sql: string): void;
  during(action: () => Promise<unknown>): Promise<string[]>;
}

export function createStatementRecorder(): StatementRecorder {
  let current: string[] | undefined;
  return {
    onStatement: (sql) => current?.push(sql),
    async during(action) {
      const texts: string[] = [];
      current = texts;
      try {
        await action();
        return texts;
      } finally {
        current = undefined;
      }
    },
  };
}
