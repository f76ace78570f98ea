import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect } from "../kit/databases.ts";
import { createClient } from "../kit/git.ts";
import { type ProgramRun, runProgram, startProgram } from "../kit/program.ts";
import { type S3Server, startS3Server } from "../kit/s3-server.ts";

/** `hearth backup` to a bucket or a folder of objects, and `hearth restore` from it into either database. */

const token = "5c".repeat(20);
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-places-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = (): string => mkdtempSync(join(root, "run-"));

const administrator = {
  HEARTH_ADMIN_USERNAME: "chief",
  HEARTH_ADMIN_EMAIL: "chief@example.com",
  HEARTH_ADMIN_PASSWORD: "a long pass phrase",
  HEARTH_ADMIN_TOKEN: token,
};
const good = (run: ProgramRun): string => {
  // The test server of PostgreSQL has settings that the program warns of.
  const stderr = run.stderr.split("\n").filter((line) => line !== "" && !line.includes("in a power cut"));
  expect({ code: run.code, stderr, stdout: run.code === 0 ? "" : run.stdout }).toEqual({ code: 0, stderr: [], stdout: "" });
  return run.stdout;
};
const bucketOf = (s3: S3Server) => {
  const { HEARTH_STORAGE_ACCESS_KEY = "", HEARTH_STORAGE_SECRET_KEY = "" } = s3.environment;
  return {
    url: s3.url.replace(/\/hearth(\?|$)/, "/backups$1"),
    keys: { HEARTH_BACKUP_ACCESS_KEY: HEARTH_STORAGE_ACCESS_KEY, HEARTH_BACKUP_SECRET_KEY: HEARTH_STORAGE_SECRET_KEY },
  };
};
/** Bytes of the objects of backups. */
const storedBytes = (s3: S3Server): number =>
  [...s3.objects].filter(([key]) => key.startsWith("backups/")).reduce((sum, [, { content }]) => sum + content.length, 0);

async function fill(url: string): Promise<void> {
  const api = createApiClient(url, `token ${token}`);
  await api.post("/user/repos", { name: "demo", private: true, auto_init: true }).expect(201);
  await api.post("/repos/chief/demo/issues", { title: "First äöü", body: "with a file" }).expect(201);
  await api.post("/repos/chief/demo/issues/1/comments", { body: "searchable words" }).expect(201);
  await api
    .post("/repos/chief/demo/issues/1/assets?name=notes.txt", Buffer.from("attached".repeat(1_000)), { "content-type": "application/octet-stream" })
    .expect(201);
  await api.post("/repos/chief/demo/wiki/new", { title: "Home", content_base64: Buffer.from("welcome").toString("base64") }).expect(201);
  const client = createClient();
  client.commit({ "a.txt": "a", "large.bin": "x".repeat(20_000) });
  client.git("tag", "v1");
  client.git("push", "-q", `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`, "v1");
  client.remove();
}

async function contentOf(url: string) {
  const api = createApiClient(url, `token ${token}`);
  const attachments = await api.get("/repos/chief/demo/issues/1/assets").expect(200);
  const attached = await fetch(`${url}/attachments/${attachments[0].uuid}`, { headers: { authorization: `token ${token}` } });
  const { id, number, title, body, created_at } = await api.get("/repos/chief/demo/issues/1").expect(200);
  return {
    issue: { id, number, title, body, created_at },
    found: (await api.get("/repos/chief/demo/issues?q=searchable").expect(200)).length,
    attached: await attached.text(),
    wiki: (await api.get("/repos/chief/demo/wiki/page/Home").expect(200)).content_base64,
    tags: execFileSync("git", ["ls-remote", `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`], { encoding: "utf8" }),
  };
}

eachDialect((dialect) => {
  test("a backup to a bucket sends only what is new, is pruned without loss, and is restored into either database", { timeout: 240_000 }, async () => {
    const base = folder();
    await using s3 = await startS3Server();
    const { url: place, keys } = bucketOf(s3);
    await using database = await dialect.createEmpty();
    await using second = await dialect.createEmpty();
    const isEmbedded = dialect.name === "sqlite";
    const before = { ...administrator, ...keys, HEARTH_DATA: join(base, "data"), ...(isEmbedded ? {} : { HEARTH_DATABASE_URL: database.url }) };
    let content: Awaited<ReturnType<typeof contentOf>>;
    {
      await using server = await startProgram(before);
      await fill(server.url);
      content = await contentOf(server.url);
      expect(good(await runProgram(["backup", place], before))).toMatch(/^backup \S+Z-[0-9a-f]{4}: \d+ rows and \d+ files; sent (\d+) of \1 objects/);
      const first = storedBytes(s3);
      await createApiClient(server.url, `token ${token}`).post("/repos/chief/demo/issues", { title: "Second" }).expect(201);
      good(await runProgram(["backup", place], before));
      // A small server changes many of its few objects.
      expect(storedBytes(s3) - first).toBeLessThan(first / 2);
      expect(good(await runProgram(["backup", "list", place], before))).toMatch(/\n2 complete backups in /);
      await server.stop();
    }
    // The first backup is deleted, and the second one has everything that both refer to.
    expect(good(await runProgram(["backup", "prune", "--keep-daily", "1", place], before))).toMatch(
      /^deleted \S+\nkept 1 of 2 backups .* deleted [1-9]\d* objects/,
    );
    expect(good(await runProgram(["backup", "verify", place], before))).toMatch(/\nok: .*\nverified the backup \S+: it can be restored\n$/);
    expect(good(await runProgram(["backup", "list", place], before))).toMatch(/, verified \S+Z\n1 complete backups/);
    expect(readdirSync(join(base, "data", "cache")).filter((name) => name.startsWith("scratch-"))).toEqual([]);
    expect([...s3.objects.keys()].filter((key) => key.includes("/running/"))).toEqual([]);

    const embedded = { ...administrator, ...keys, HEARTH_DATA: join(base, "embedded") };
    const targets = [embedded, ...(isEmbedded ? [] : [{ ...embedded, HEARTH_DATA: join(base, "postgres"), HEARTH_DATABASE_URL: second.url }])];
    for (const after of targets) {
      expect(good(await runProgram(["restore", place], after))).toMatch(/^restored the backup of \S+Z: the database and \d+ files/);
      expect((await runProgram(["doctor"], after)).code).toBe(0);
      await using server = await startProgram(after);
      expect(await contentOf(server.url)).toEqual(content);
      const api = createApiClient(server.url, `token ${token}`);
      expect(await api.post("/repos/chief/demo/issues", { title: "Third" }).expect(201)).toMatchObject({ number: 3 });
      await api.post("/repos/chief/demo/contents/later.txt", { message: "later", content: "bGF0ZXI=" }).expect(201);
      await server.stop();
    }
  });
});
