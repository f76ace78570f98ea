import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRows } from "../../src/app/copy-database.ts";
import { parsePostgresUrl } from "../../src/config/postgres-url.ts";
import { systemClock } from "../../src/core/clock.ts";
import { type CopyTarget, copyTables } from "../../src/db/copy-tables.ts";
import { copyTable } from "../../src/db/copy-target.ts";
import { allMigrations } from "../../src/db/migrations/all.ts";
import { openDatabase } from "../../src/db/open.ts";
import { openCopyTarget } from "../../src/db/open-copy.ts";
import { openPostgres } from "../../src/db/postgres.ts";
import { openRowSource } from "../../src/db/row-source.ts";
import { openSnapshot } from "../../src/db/snapshot.ts";
import { createApiClient } from "../kit/api-client.ts";
import { onPostgres } from "../kit/databases.ts";
import { silentLog } from "../kit/logs.ts";
import { runProgram, startProgram } from "../kit/program.ts";

const token = "c7".repeat(20);
const admin = { HEARTH_ADMIN_USERNAME: "ada", HEARTH_ADMIN_PASSWORD: "a long pass phrase", HEARTH_ADMIN_TOKEN: token };
const listed = [
  "/user",
  "/users/search",
  "/orgs/gardeners/teams",
  "/repos/ada/garden",
  "/repos/search?q=gard",
  "/repos/search?q=Pflanzen",
  "/repos/ada/garden/branches",
  "/repos/ada/garden/commits",
  "/repos/ada/garden/contents/README.md",
  "/repos/ada/garden/issues?state=all",
  "/repos/ada/garden/issues?q=valve",
  "/repos/ada/garden/issues?q=%C3%A4u%C3%9Ferst",
  "/repos/ada/garden/issues/1/comments",
  "/repos/ada/garden/issues/1/timeline",
  "/repos/ada/garden/labels",
  "/repos/ada/garden/milestones",
  "/repos/ada/garden/pulls/2",
  "/repos/ada/garden/hooks",
  "/repos/issues/search?q=valve&state=all",
  "/notifications?all=true",
];

onPostgres((dialect) => {
  let folder: string;
  /** Responses of the embedded database, by path. */
  let before: readonly unknown[];
  /** The id of the last comment, which is deleted. */
  let deleted: number;
  const data = (): string => join(folder, "data");
  const readAll = async (url: string): Promise<readonly unknown[]> => {
    const api = createApiClient(url, `token ${token}`);
    const read = async (path: string): Promise<unknown> => JSON.parse((await api.get(path)).text.replaceAll(url, "http://forge"));
    return Promise.all(listed.map(read));
  };

  /** The test server of PostgreSQL has settings that the program warns of. */
  const copyTo = async (settings: Readonly<Record<string, string>>) => {
    const { stderr, ...run } = await runProgram(["database", "copy"], settings);
    return {
      ...run,
      stderr: stderr
        .split("\n")
        .filter((line) => line !== "" && !line.includes("in a power cut"))
        .join("\n"),
    };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-copy-"));
    await using program = await startProgram({ HEARTH_DATA: data(), ...admin });
    const api = createApiClient(program.url, `token ${token}`);
    await api.post("/admin/users", { username: "ben", email: "ben@example.com", password: "another pass phrase", must_change_password: false }).expect(201);
    await api.post("/orgs", { username: "gardeners" }).expect(201);
    await api.post("/user/repos", { name: "garden", auto_init: true, description: "Pflanzen, äußerst viele" }).expect(201);
    await api.put("/repos/ada/garden/topics/plants").expect(204);
    const { id: label } = await api.post("/repos/ada/garden/labels", { name: "bug", color: "#ff0000" }).expect(201);
    const { id: milestone } = await api.post("/repos/ada/garden/milestones", { title: "Spring" }).expect(201);
    await api
      .post("/repos/ada/garden/issues", { title: "The valve is stuck", body: "Äußerst @ben", labels: [label], milestone, assignees: ["ben"] })
      .expect(201);
    await api.post("/repos/ada/garden/contents/a.txt", { content: "YQ==", new_branch: "more" }).expect(201);
    await api.post("/repos/ada/garden/pulls", { title: "More", head: "more", base: "main" }).expect(201);
    for (const body of ["Open the valve slowly.", "Done."]) await api.post("/repos/ada/garden/issues/1/comments", { body }).expect(201);
    ({ id: deleted } = await api.post("/repos/ada/garden/issues/1/comments", { body: "Twice." }).expect(201));
    await api.delete(`/repos/ada/garden/issues/comments/${deleted}`).expect(204);
    const config = { url: "http://127.0.0.1:1/hook", content_type: "json", secret: "s3cret" };
    await api.post("/repos/ada/garden/hooks", { type: "gitea", config, events: ["push"], active: false }).expect(201);
    before = await readAll(program.url);
    await program.stop();
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("an embedded database that is copied to PostgreSQL gives the same responses, and accepts writes", async () => {
    await using target = await dialect.createEmpty();
    const settings = { HEARTH_DATA: data(), HEARTH_DATABASE_URL: target.url };
    const { code, stdout, stderr } = await copyTo(settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^copied and compared \d+ rows of \d+ tables; the server uses PostgreSQL from its next start\n/);
    await using program = await startProgram({ ...settings, ...admin });
    expect(await readAll(program.url)).toEqual(before);
    const api = createApiClient(program.url, `token ${token}`);
    expect(await api.post("/repos/ada/garden/issues", { title: "After the copy" }).expect(201)).toMatchObject({ number: 3 });
    const { id } = await api.post("/repos/ada/garden/issues/3/comments", { body: "The id of a deleted comment is not used again." }).expect(201);
    expect(id).toBeGreaterThan(deleted);
    await api
      .put("/repos/ada/garden/contents/README.md", { content: "Yg==", sha: (await api.get("/repos/ada/garden/contents/README.md").expect(200)).sha })
      .expect(200);
    // Triggers maintain the copied tables again.
    await api.patch("/repos/ada/garden", { private: true }).expect(200);
    expect(await createApiClient(program.url).get("/repos/search?q=garden").expect(200)).toMatchObject({ data: [] });
    await program.stop();
  }, 120_000);

  test("an interrupted copy continues, and no server starts on it before", async () => {
    await using target = await dialect.createEmpty();
    const source = await openDatabase({ url: join(data(), "hearth.db"), log: silentLog });
    const copy = await openCopyTarget(target.url, allMigrations.length, silentLog);
    let transactions = 0;
    const interrupted: CopyTarget = {
      ...copy,
      tx: (work) => {
        transactions += 1;
        return transactions > 10 ? Promise.reject(new Error("interrupted")) : copy.tx(work);
      },
    };
    await expect(copyTables(await openRowSource(source), interrupted)).rejects.toThrow("interrupted");
    await copy.close();
    await source.close();
    await expect(openDatabase({ url: target.url, log: silentLog })).rejects.toThrow(/a copy into it is incomplete: run the command that began it again/);
    const settings = { HEARTH_DATA: data(), HEARTH_DATABASE_URL: target.url };
    expect(await copyTo(settings)).toMatchObject({ code: 0, stderr: "" });
    await using program = await startProgram({ ...settings, ...admin });
    expect(await readAll(program.url)).toEqual(before);
    await program.stop();
  }, 120_000);

  test("the rows of PostgreSQL make an embedded database that gives the same responses, and accepts writes", async () => {
    await using target = await dialect.createEmpty();
    expect(await copyTo({ HEARTH_DATA: data(), HEARTH_DATABASE_URL: target.url })).toMatchObject({ code: 0, stderr: "" });
    const back = join(folder, "back");
    cpSync(data(), back, { recursive: true, filter: (path) => !path.includes("hearth.db") });
    mkdirSync(join(folder, "scratch"));
    {
      const options = { url: target.url, scratch: join(folder, "scratch"), log: silentLog, searchPath: process.env.PATH ?? "" };
      await using snapshot = await openSnapshot(options);
      await copyRows(snapshot, join(back, "hearth.db"), silentLog);
    }
    await using program = await startProgram({ HEARTH_DATA: back, ...admin });
    expect(await readAll(program.url)).toEqual(before);
    const api = createApiClient(program.url, `token ${token}`);
    await api.post("/repos/ada/garden/issues", { title: "After the copy" }).expect(201);
    const { id } = await api.post("/repos/ada/garden/issues/3/comments", { body: "The id of a deleted comment is not used again." }).expect(201);
    expect(id).toBeGreaterThan(deleted);
    expect(await api.get("/repos/ada/garden/issues?q=again").expect(200)).toMatchObject([{ number: 3 }]);
    await api.patch("/repos/ada/garden", { private: true }).expect(200);
    expect(await createApiClient(program.url).get("/repos/search?q=garden").expect(200)).toMatchObject({ data: [] });
    await program.stop();
    expect(await runProgram(["doctor"], { HEARTH_DATA: back })).toMatchObject({ code: 0 });
  }, 120_000);

  test("a copy into a database that was changed meanwhile is not completed, and names the table", async () => {
    await using target = await dialect.createEmpty();
    const copy = await openCopyTarget(target.url, allMigrations.length, silentLog);
    await copy.tx((tx) => sql`insert into server_values (name, value) values ('zzz', '')`.execute(tx.sql));
    await copy.close();
    const { code, stderr } = await copyTo({ HEARTH_DATA: data(), HEARTH_DATABASE_URL: target.url });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^hearth: the table server_values differs from its copy/),
    });
  }, 60_000);

  test("a database with tables, a running server, and a missing source are refused in one line, and nothing is changed", async () => {
    await using used = await dialect.create();
    await using empty = await dialect.createEmpty();
    const copyInto = (url: string, from = data()) => copyTo({ HEARTH_DATA: from, HEARTH_DATABASE_URL: url });
    expect(await copyInto(used.url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: the PostgreSQL database cannot be opened: it is not empty: .*$/),
    });
    expect(await copyInto("")).toMatchObject({ code: 1, stderr: expect.stringMatching(/^hearth: set HEARTH_DATABASE_URL .*$/) });
    expect(await copyInto(empty.url, join(folder, "none"))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: there is no embedded database .*$/),
    });
    await using program = await startProgram({ HEARTH_DATA: data(), ...admin });
    expect(await copyInto(empty.url)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^hearth: another Hearth process serves the database .*$/) });
    await program.stop();
    const db = await openPostgres({ address: parsePostgresUrl(empty.url), log: silentLog, clock: systemClock });
    const { rows } = await sql`select 1 from pg_tables where tablename = ${copyTable}`.execute(db.sql);
    expect(rows).toEqual([]);
    await db.close();
  }, 120_000);
});
