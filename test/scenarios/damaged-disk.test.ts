import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { onPostgres } from "../kit/databases.ts";
import { createClient } from "../kit/git.ts";
import { findPostgres, startPostgres } from "../kit/postgres-cluster.ts";
import { runProgram, startProgram } from "../kit/program.ts";

/** Corrupts files under the running server. Damaged data is reported, everything else is served. */

const token = "d4".repeat(20);
const folder = mkdtempSync(join(tmpdir(), "hearth-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const settingsOf = (name: string) => ({
  HEARTH_DATA: join(folder, name),
  HEARTH_ADMIN_USERNAME: "chief",
  HEARTH_ADMIN_PASSWORD: "a long pass phrase",
  HEARTH_ADMIN_TOKEN: token,
});

/** Changes bytes in the middle of a file. @returns a function that repairs it */
function damage(path: string, offset: number, length: number): () => void {
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  for (let at = offset; at < offset + length; at += 1) damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
  // In place, because the server may have the file open.
  writeFileSync(path, damaged, { flag: "r+" });
  return () => writeFileSync(path, whole, { flag: "r+" });
}

test("a damaged pack fails requests for its repository only, is not cached, and is served again after its repair", async () => {
  const settings = settingsOf("packs");
  await using program = await startProgram(settings);
  const api = createApiClient(program.url, `token ${token}`);
  const client = createClient();
  try {
    const text = Array.from({ length: 20_000 }, (_, at) => `${at * 2_654_435_761}`).join("\n");
    const tip = client.commit({ "large.txt": text });
    const urlOf = (name: string): string => `${program.url.replace("//", `//chief:${token}@`)}/chief/${name}.git`;
    for (const name of ["damaged", "whole"]) {
      await api.post("/user/repos", { name }).expect(201);
      client.git("push", "-q", urlOf(name), `${tip}:refs/heads/main`);
    }
    const objects = (number: string): string => join(settings.HEARTH_DATA, "repositories", number, `${Number(number)}.git`, "objects");
    const files = readdirSync(objects("01"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.pack$|^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(path))
      .map((path) => join(objects("01"), path));
    const largest = files.toSorted((a, b) => readFileSync(b).length - readFileSync(a).length)[0] ?? "";
    const repair = damage(largest, readFileSync(largest).length >> 1, 16);

    const read = (name: string) => api.get(`/repos/chief/${name}/raw/large.txt`);
    const broken = await read("damaged");
    expect(broken.status).toBeGreaterThanOrEqual(500);
    expect(broken.text).not.toContain(folder);
    expect(() => client.git("clone", "-q", "--bare", urlOf("damaged"), join(client.path, "broken.git"))).toThrow();
    expect((await read("whole")).text).toBe(text);
    client.git("clone", "-q", "--bare", urlOf("whole"), join(client.path, "whole.git"));
    expect((await runProgram(["doctor"], settings)).code).toBe(1);
    await api.post("/admin/cron/repo_health_check").expect(204);
    const damagedRepositories = async () => {
      const problems: readonly { repository: string }[] = await api.get("/admin/stores/problems").expect(200);
      return [...new Set(problems.map(({ repository }) => repository))];
    };
    await expect.poll(damagedRepositories, { timeout: 30_000 }).toEqual(["chief/damaged"]);

    repair();
    expect((await read("damaged")).text).toBe(text);
    client.git("clone", "-q", "--bare", urlOf("damaged"), join(client.path, "repaired.git"));
    expect(await program.stop()).toBe(0);
  } finally {
    client.remove();
  }
});

test("a damaged SQLite page fails the queries that read it, is logged and found by doctor, and other requests are served", async () => {
  const settings = settingsOf("pages");
  {
    await using program = await startProgram(settings);
    const api = createApiClient(program.url, `token ${token}`);
    await api.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    await api.post("/repos/chief/r/milestones", { title: "one" }).expect(201);
    expect(await program.stop()).toBe(0);
  }
  const path = join(settings.HEARTH_DATA, "hearth.db");
  const database = new DatabaseSync(path);
  database.exec("pragma wal_checkpoint(truncate)");
  const { rootpage } = database.prepare("select rootpage from sqlite_schema where type = 'table' and name = 'milestones'").get() as { rootpage: number };
  const { page_size: pageSize } = database.prepare("pragma page_size").get() as { page_size: number };
  database.close();
  const repair = damage(path, (rootpage - 1) * pageSize, pageSize);

  await using program = await startProgram(settings);
  const api = createApiClient(program.url, `token ${token}`);
  for (let at = 0; at < 3; at += 1) {
    const broken = await api.get("/repos/chief/r/milestones");
    expect(broken.status).toBeGreaterThanOrEqual(500);
    expect(broken.text).not.toMatch(/sqlite|malformed|hearth\.db/i);
    await api.get("/repos/chief/r/contents/README.md").expect(200);
  }
  await api.post("/repos/chief/r/labels", { name: "still-written", color: "00aabb" }).expect(201);
  expect(program.output()).toMatch(/malformed/);
  expect((await runProgram(["doctor"], settings)).code).toBe(1);
  expect(await program.stop()).toBe(0);

  repair();
  await using repaired = await startProgram(settings);
  const milestones = await createApiClient(repaired.url, `token ${token}`).get("/repos/chief/r/milestones").expect(200);
  expect(milestones).toMatchObject([{ title: "one" }]);
});

onPostgres((dialect) => {
  test("doctor reports a PostgreSQL cluster without data checksums, with the command that enables them", async () => {
    await using database = await dialect.createEmpty();
    const settings = { ...settingsOf("no-checksums"), HEARTH_DATABASE_URL: database.url };
    {
      await using program = await startProgram(settings);
      expect(await program.stop()).toBe(0);
    }
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const [{ data_checksums: checksums }] = (await client.query("show data_checksums")).rows;
    await client.end();
    const { code, stdout } = await runProgram(["doctor"], settings);
    expect([code, stdout.includes("run `pg_checksums --enable")]).toEqual([0, checksums === "off"]);
  });

  test("a damaged PostgreSQL page fails the queries that read it, is logged and found by doctor, and other requests are served", async () => {
    const place = mkdtempSync(join(tmpdir(), "hearth-pages-"));
    chmodSync(place, 0o711);
    const cluster = await startPostgres(findPostgres() ?? "", join(place, "pg"), { initOptions: ["--data-checksums"] });
    try {
      const settings = { ...settingsOf("postgres-pages"), HEARTH_DATABASE_URL: cluster.urlOf("postgres") };
      let file = "";
      {
        await using program = await startProgram(settings);
        const api = createApiClient(program.url, `token ${token}`);
        await api.post("/user/repos", { name: "r", auto_init: true }).expect(201);
        await api.post("/repos/chief/r/milestones", { title: "one" }).expect(201);
        expect(await program.stop()).toBe(0);
        const client = new Client({ connectionString: cluster.urlOf("postgres") });
        await client.connect();
        await client.query("checkpoint");
        file = (await client.query("select pg_relation_filepath('milestones') as path")).rows[0].path;
        await client.end();
      }
      // Restarted, so that it reads the page from the disk.
      await cluster.kill();
      const repair = damage(join(place, "pg", "data", file), 8_000, 1);
      await cluster.start();
      {
        await using program = await startProgram(settings);
        const api = createApiClient(program.url, `token ${token}`);
        expect((await api.get("/repos/chief/r/milestones")).status).toBeGreaterThanOrEqual(500);
        await api.get("/repos/chief/r/contents/README.md").expect(200);
        await api.post("/repos/chief/r/labels", { name: "still-written", color: "00aabb" }).expect(201);
        expect(program.output()).toMatch(/invalid page/);
        expect((await runProgram(["doctor"], settings)).stdout).toMatch(/the table milestones cannot be read: invalid page/);
        expect(await program.stop()).toBe(0);
      }
      await cluster.kill();
      repair();
      await cluster.start();
      const { code, stdout } = await runProgram(["doctor"], settings);
      expect([code, stdout]).toEqual([0, expect.not.stringContaining("checksums")]);
    } finally {
      await cluster.stop();
      rmSync(place, { recursive: true, force: true });
    }
  });
});
