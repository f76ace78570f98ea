import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onSqlite } from "../kit/databases.ts";
import { dump } from "../kit/dump.ts";
import { loadRecordedMysql, openRecordedGitea, type RecordedGitea } from "../kit/gitea.ts";
import { findMariadb, type MysqlServer, startMysql } from "../kit/mysql-server.ts";
import { runProgram } from "../kit/program.ts";

const binary = findMariadb();
const subject = "a Gitea on MySQL";

onSqlite(() => {
  describe.skipIf(binary === undefined)(binary === undefined ? `${subject} (skipped: mariadb-server is not installed)` : subject, () => {
    const opened = new AsyncDisposableStack();
    let server: MysqlServer;
    let gitea: RecordedGitea;
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), "hm-"));
      opened.defer(() => rmSync(folder, { recursive: true, force: true }));
      server = opened.use(await startMysql(binary ?? "", folder));
      gitea = opened.use(openRecordedGitea());
      const connection = await server.connect();
      await connection.query("create database gitea character set utf8mb4");
      await connection.changeUser({ database: "gitea" });
      await loadRecordedMysql((statement) => connection.query(statement));
      await connection.query("create database empty");
      await connection.end();
    }, 120_000);
    afterAll(() => opened.disposeAsync());

    const importFrom = (data: string, options: readonly string[]) =>
      runProgram(["import", "gitea", "--config", gitea.appIni, ...options], { HEARTH_DATA: join(gitea.folder, data) });

    test("is imported as the same rows in SQLite are, again and with a user who may only read", async () => {
      const expected = await importFrom("from-sqlite", []);
      const found = await importFrom("from-mysql", ["--database", server.urlOf("gitea")]);
      expect({ code: found.code, stdout: found.stdout }).toEqual({ code: 0, stdout: expected.stdout });
      const [rows, own] = [await dump(join(gitea.folder, "from-sqlite/hearth.db")), await dump(join(gitea.folder, "from-mysql/hearth.db"))];
      for (const [table, all] of Object.entries(rows)) expect({ table, rows: own[table] }).toEqual({ table, rows: all });
      expect((await importFrom("from-mysql", ["--database", server.urlOf("gitea")])).code).toBe(0);
    }, 120_000);

    test("is found by its app.ini, with a socket and a password with special characters", async () => {
      const { searchParams, username, password } = new URL(server.urlOf("gitea"));
      const ini = readFileSync(gitea.appIni, "utf8").replace(
        "DB_TYPE = sqlite3",
        `DB_TYPE = mysql\nHOST = ${searchParams.get("socket")}\nNAME = gitea\nUSER = ${username}\nPASSWD = \`${decodeURIComponent(password)}\``,
      );
      writeFileSync(`${gitea.appIni}.mysql`, ini);
      const { code, stdout } = await runProgram(["import", "gitea", "--config", `${gitea.appIni}.mysql`, "--dry-run"], {
        HEARTH_DATA: join(gitea.folder, "none"),
      });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("users: 9\n") });
    });

    test("is refused with one line if it is another database, or if the server does not answer", async () => {
      expect(await importFrom("none", ["--database", server.urlOf("empty")])).toMatchObject({
        code: 1,
        stderr: "hearth: the database is not one of Gitea: it has no table version\n",
      });
      const { code, stderr } = await importFrom("none", ["--database", "mysql://reader:secret@127.0.0.1:1/gitea"]);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^hearth: the database to import cannot be read: .*\n$/) });
      expect(stderr).not.toContain("secret");
    });
  });
});
