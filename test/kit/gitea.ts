import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

const fixture = join(import.meta.dirname, "gitea-data");

/** The secrets of the recorded Gitea, which was filled through its API. */
export const recorded = {
  password: "Passw0rd!x",
  tokens: {
    ada: "bd2d1b85913d449de466a561f98ebde246ddd1e5",
    ben: "c4f1d0f0814c0503e20c0aca09eede41157262aa",
    cleo: "58a0b37f17aec02ab3ac246be05f44ebc708152d",
    reader: "86ab95d9b22b63dcdabed5c9222f50876daefe3d",
  },
  secretKey: "abcdefabcdefabcdefabcdefabcdefabcdef",
  /** The webhook with the id 1 has them. */
  hook: { secret: "s3cret", authorization: "Bearer xyz" },
  application: { clientId: "5c2a8f2e-6b3f-4d0a-9f55-0d7d5a3f1c11", secret: "gto_recordedclientsecret" },
  /** The authenticator app of dan has it. */
  totpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  largeFile: Buffer.from("large file content\n".repeat(100)),
} as const;

/** The data folder of a Gitea 1.26 that is not running. */
export interface RecordedGitea extends Disposable {
  readonly folder: string;
  readonly appIni: string;
  /** Path of its database in SQLite. */
  readonly database: string;
}

const files: Readonly<Record<string, Buffer>> = {
  "attachments/3/f/3f4c4905-a399-4e21-8047-18782af680d9": Buffer.from("binary asset"),
  "attachments/2/f/2f549a5a-d90e-4171-9bf9-da24a1aa4cb3": Buffer.from("attached text"),
};

/** Recreates the recorded folder. @param more statements that change the database */
export function openRecordedGitea(more = ""): RecordedGitea {
  recording ??= recreate();
  const folder = mkdtempSync(join(tmpdir(), "hearth-gitea-"));
  cpSync(recording, folder, { recursive: true });
  const database = join(folder, "data/gitea.db");
  if (more !== "") {
    const db = new DatabaseSync(database);
    db.exec(`begin; ${more}; commit`);
    db.close();
  }
  const appIni = join(folder, "custom/conf/app.ini");
  mkdirSync(dirname(appIni), { recursive: true });
  writeFileSync(
    appIni,
    `WORK_PATH = ${folder}\n[database]\nDB_TYPE = sqlite3\n[repository]\nROOT = data/repositories\n[security]\nSECRET_KEY = ${recorded.secretKey}\n`,
  );
  return { folder, appIni, database, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A folder to copy, because git clones the repositories with one process each. It is in the temporary folder of the run. */
let recording: string | undefined;

function recreate(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-gitea-"));
  const data = join(folder, "data");
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  for (const [path, content] of Object.entries(files)) write(join(data, path), content);
  const oid = createHash("sha256").update(recorded.largeFile).digest("hex");
  write(join(data, "lfs", oid.slice(0, 2), oid.slice(2, 4), oid.slice(4)), recorded.largeFile);
  for (const name of readdirSync(fixture).filter((file) => file.endsWith(".bundle"))) {
    const [, owner = "", repository = ""] = /^([^-]+)-(.+)\.bundle$/.exec(name) ?? [];
    const path = join(data, "repositories", owner, `${repository}.git`);
    execFileSync("git", ["clone", "-q", "--mirror", join(fixture, name), path], { stdio: "ignore" });
  }
  execFileSync("git", ["init", "-q", "--bare", "--initial-branch=main", join(data, "repositories/ben/empty.git")]);
  const db = new DatabaseSync(join(data, "gitea.db"));
  db.exec(`begin; ${recordedSql()}; commit`);
  db.close();
  return folder;
}

const recordedSql = (): string => readFileSync(join(fixture, "database.sql"), "utf8");

/** Columns that are boolean in PostgreSQL. */
const isBoolean = (column: string): boolean =>
  /^(is|has|can|enable|use|allow|block)_|_(enabled|override)$|^(verified|official|confidential_client|skip_secondary_authorization|removed_assignee|sync_on_commit|dismissed|stale|exclusive|invalidated|deleted|must_change_password|prohibit_login|keep_.*_private|repo_admin_change_team_access|includes_all_repositories)$/.test(
    column,
  );

/** The same rows in MySQL, with its types. @param query of a connection to an empty database */
export async function loadRecordedMysql(query: (statement: string) => Promise<unknown>): Promise<void> {
  await query("set session sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'");
  for (const line of recordedSql().split(/;\n/)) if (line.trim() !== "") await query(line.startsWith("create table") ? mysqlTable(line) : line);
}

const mysqlTable = (line: string): string =>
  line
    .replaceAll(/"(\w+)" INTEGER/g, (_, column: string) => `"${column}" ${isBoolean(column) ? "tinyint(1)" : "bigint"}`)
    .replaceAll(" TEXT", " longtext character set utf8mb4")
    .replaceAll(" BLOB", " longblob");

/** The same rows in PostgreSQL, with its types. @param url an empty database */
export async function loadRecordedPostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const lines = recordedSql().split(/;\n/);
    for (const line of lines) await client.query(line.startsWith("create table") ? postgresTable(line) : postgresRow(line));
    const { rows } = await client.query<{ t: string; c: string }>(
      "select table_name as t, column_name as c from information_schema.columns where table_schema = current_schema() and data_type = 'bigint'",
    );
    for (const { t, c } of rows.filter((row) => isBoolean(row.c))) await client.query(`alter table "${t}" alter column "${c}" type boolean using "${c}" <> 0`);
  } finally {
    await client.end();
  }
}

const postgresTable = (line: string): string => line.replaceAll(" INTEGER", " bigint").replaceAll(" BLOB", " bytea");
const postgresRow = (line: string): string => line.replaceAll(/x'([0-9a-f]*)'/g, String.raw`'\x$1'::bytea`);
