import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect } from "../kit/databases.ts";
import { createClient } from "../kit/git.ts";
import { canTrace, killingAt } from "../kit/kill-at.ts";
import { findPostgres } from "../kit/postgres-cluster.ts";
import { type ProgramRun, runProgram, startProgram } from "../kit/program.ts";

/** `hearth backup` while the server accepts writes, the loss of everything, and `hearth restore`. */

const token = "5c".repeat(20);
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-backup-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const administrator = {
  HEARTH_ADMIN_USERNAME: "chief",
  HEARTH_ADMIN_EMAIL: "chief@example.com",
  HEARTH_ADMIN_PASSWORD: "a long pass phrase",
  HEARTH_ADMIN_TOKEN: token,
};
/** One line on stderr, without internals of the program. */
const refusal = ({ code, stderr }: ProgramRun): string => {
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/^hearth: [^\n]+\n$/);
  return stderr;
};

eachDialect((dialect) => {
  const folder = (): string => mkdtempSync(join(root, "run-"));

  test("a backup under writes is checked, and restores every change that was acknowledged before it", { timeout: 120_000 }, async () => {
    const base = folder();
    await using database = await dialect.create();
    await using second = await dialect.createEmpty();
    const path = { PATH: [findPostgres(), process.env.PATH].filter(Boolean).join(":") };
    const isEmbedded = dialect.name === "sqlite";
    const environmentOf = (data: string, url: string) => ({
      ...administrator,
      ...path,
      HEARTH_DATA: join(base, data),
      ...(isEmbedded ? {} : { HEARTH_DATABASE_URL: url }),
    });
    const before = environmentOf("data", database.url);
    const after = environmentOf("restored", second.url);
    const backup = join(base, "backup");

    const contentOf = async (url: string) => {
      const api = createApiClient(url, `token ${token}`);
      const attachments = await api.get("/repos/chief/demo/issues/1/assets").expect(200);
      const attached = await fetch(`${url}/attachments/${attachments[0].uuid}`, { headers: { authorization: `token ${token}` } });
      const { avatar_url: avatar } = await api.get("/user").expect(200);
      return {
        issue: { ...(await api.get("/repos/chief/demo/issues/1").expect(200)), url: "", html_url: "", user: "", assets: "", repository_url: "" },
        attached: await attached.text(),
        avatar: (await (await fetch(avatar)).arrayBuffer()).byteLength,
        wiki: (await api.get("/repos/chief/demo/wiki/page/Home").expect(200)).content_base64,
        deleted: (await api.get("/admin/repos/deleted").expect(200)).map(({ name }: { name: string }) => name),
        tags: execFileSync("git", ["ls-remote", "--tags", `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`], { encoding: "utf8" }),
      };
    };

    let content: Awaited<ReturnType<typeof contentOf>>;
    const acknowledged: string[] = [];
    let atLeast = 0;
    {
      await using server = await startProgram(before);
      const api = createApiClient(server.url, `token ${token}`);
      await api.post("/user/repos", { name: "demo", private: true, auto_init: true }).expect(201);
      await api.post("/user/repos", { name: "old", auto_init: true }).expect(201);
      await api.delete("/repos/chief/old").expect(204);
      await api.post("/repos/chief/demo/issues", { title: "First", body: "with a file" }).expect(201);
      await api.post("/repos/chief/demo/issues/1/assets?name=notes.txt", Buffer.from("attached"), { "content-type": "application/octet-stream" }).expect(201);
      await api.post("/user/avatar", { image: png }).expect(204);
      await api.post("/repos/chief/demo/wiki/new", { title: "Home", content_base64: Buffer.from("welcome").toString("base64") }).expect(201);
      const client = createClient();
      client.commit({ "a.txt": "a" });
      client.git("tag", "v1");
      client.git("push", "-q", `${server.url.replace("//", `//chief:${token}@`)}/chief/demo.git`, "v1");
      client.remove();
      content = await contentOf(server.url);

      let isBackedUp = false;
      const writes = (async () => {
        for (let number = 1; !isBackedUp; number += 1) {
          const file = { message: `${number}`, content: Buffer.from(`${number}`).toString("base64") };
          acknowledged.push((await api.post(`/repos/chief/demo/contents/${number}.txt`, file).expect(201)).commit.sha);
        }
      })();
      await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(2);
      atLeast = acknowledged.length;
      const run = await runProgram(["backup", backup], before);
      isBackedUp = true;
      await writes;
      expect(run, run.stderr).toMatchObject({ code: 0, stderr: "" });
      // An incremental backup links the objects and files that the first one has.
      const next = join(base, "incremental");
      await api.post("/repos/chief/demo/contents/incremental.txt", { message: "more", content: "bW9yZQ==" }).expect(201);
      const incremental = await runProgram(["backup", "--base", backup, next], before);
      expect(incremental, incremental.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nlinked [1-9]\d* unchanged files to those of /) });
      const packs = (of: string): Map<string, number> =>
        new Map(
          readdirSync(join(of, "repositories"), { recursive: true, encoding: "utf8" })
            .filter((name) => name.endsWith(".pack"))
            .map((name) => [name, statSync(join(of, "repositories", name)).ino]),
        );
      const [old, young] = [packs(backup), packs(next)];
      const shared = [...young].filter(([name]) => old.has(name));
      expect(shared.length).toBeGreaterThan(0);
      expect(shared.filter(([name, inode]) => old.get(name) !== inode)).toEqual([]);
      expect(young.size).toBeGreaterThan(shared.length);
      expect(run.stdout).toMatch(/^copied the database and \d+ files/);
      expect(run.stdout).toMatch(/\nok: the database, \d+ object stores and 2 uploaded files\n$/);
      await server.kill();
    }
    rmSync(join(base, "data"), { recursive: true });
    const verified = await runProgram(["backup", "verify", backup], before);
    expect(verified, verified.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nok: .*\nverified the backup of \S+Z: it can be restored\n$/) });
    expect(JSON.parse(readFileSync(join(backup, "backup.json"), "utf8"))).toMatchObject({ verified: expect.stringMatching(/Z$/) });
    expect(readdirSync(base).filter((name) => name.startsWith(".verify"))).toEqual([]);
    expect(readdirSync(backup).sort()).toEqual(["avatars", "backup.json", "files", "hearth.db", "repositories", "secret.key"]);

    const restored = await runProgram(["restore", backup], after);
    expect(restored, restored.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^restored the backup of \S+Z: the database and \d+ files/) });
    expect(await runProgram(["doctor"], after)).toMatchObject({ code: 0 });
    await using server = await startProgram(after);
    const api = createApiClient(server.url, `token ${token}`);
    expect(JSON.parse(JSON.stringify(await contentOf(server.url)))).toEqual(JSON.parse(JSON.stringify(content)));
    const { commit } = await api.get("/repos/chief/demo/branches/main").expect(200);
    expect(acknowledged.indexOf(commit.id)).toBeGreaterThanOrEqual(atLeast - 1);
    const clone = join(base, "clone");
    execFileSync("git", ["clone", "-q", `${server.url.replace("//", `//chief:${token}@`)}/chief/demo.git`, clone]);
    expect(readdirSync(clone)).toContain(`${atLeast}.txt`);
    // The restored server accepts writes, and its next backup is whole.
    await api.post("/repos/chief/demo/contents/later.txt", { message: "later", content: "bGF0ZXI=" }).expect(201);
    expect(await runProgram(["backup", join(base, "next")], after)).toMatchObject({ code: 0 });
  });
});

describe("backups", () => {
  test("a backup reports a repository that was damaged before", async () => {
    const data = join(root, "damaged");
    const environment = { ...administrator, HEARTH_DATA: data };
    {
      await using server = await startProgram(environment);
      await createApiClient(server.url, `token ${token}`).post("/user/repos", { name: "demo", auto_init: true }).expect(201);
      await server.stop();
    }
    const objects = readdirSync(join(data, "repositories"), { recursive: true, encoding: "utf8" }).filter((path) => /\.(pack|idx)$/.test(path));
    expect(objects.length).toBeGreaterThan(0);
    for (const path of objects) rmSync(join(data, "repositories", path));
    const run = await runProgram(["backup", join(root, "of-damaged")], environment);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/store \d+ \(\w+\/demo\): refs\/heads\/main points to [0-9a-f]{40}, which does not exist/);
    const unchecked = join(root, "unchecked");
    expect(await runProgram(["backup", "--no-check", unchecked], environment)).toMatchObject({ code: 0 });
    const verified = await runProgram(["backup", "verify", unchecked], environment);
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringMatching(/store \d+ \(\w+\/demo\): refs\/heads\/main points to/) });
    expect(readFileSync(join(unchecked, "backup.json"), "utf8")).not.toContain("verified");
    expect(readdirSync(root).filter((name) => name.startsWith(".verify"))).toEqual([]);
  });

  test("a failed restore can be repeated, and no server starts with its incomplete data", async () => {
    const [data, good, broken] = ["source", "good-one", "broken"].map((name) => join(root, name)) as [string, string, string];
    const environment = { ...administrator, HEARTH_DATA: data };
    {
      await using server = await startProgram(environment);
      await server.stop();
    }
    expect(await runProgram(["backup", good], environment)).toMatchObject({ code: 0 });
    cpSync(good, broken, { recursive: true });
    truncateSync(join(broken, "hearth.db"), 5_000);
    const target = { ...administrator, HEARTH_DATA: join(root, "target") };
    refusal(await runProgram(["restore", broken], target));
    expect(refusal(await runProgram(["serve"], target))).toContain("has an incomplete restore");
    expect(refusal(await runProgram(["restore", good], target))).toMatch(/has an incomplete restore of \S+broken of /);
    rmSync(target.HEARTH_DATA, { recursive: true });
    expect(await runProgram(["restore", good], target)).toMatchObject({ code: 0 });
    // The database is filled before the last packs are installed.
    const nearlyComplete = { ...target, HEARTH_DATA: join(root, "nearly-complete") };
    cpSync(target.HEARTH_DATA, nearlyComplete.HEARTH_DATA, { recursive: true });
    mkdirSync(join(nearlyComplete.HEARTH_DATA, "restoring"));
    expect(refusal(await runProgram(["serve"], nearlyComplete))).toContain("has an incomplete restore");
    const watched = { ...target, HEARTH_BACKUP_FOLDER: join(root, "no-backups") };
    expect(await runProgram(["doctor"], watched)).toMatchObject({ code: 1, stdout: expect.stringContaining("backups: there is no complete backup in") });
    await using server = await startProgram(target);
    await createApiClient(server.url, `token ${token}`).get("/user").expect(200);
  });

  const killed = "a backup that is killed at any file continues where it ended";
  test.skipIf(!canTrace)(canTrace ? killed : `${killed} (skipped: strace is not installed)`, async () => {
    const data = join(root, "of-killed");
    const environment = { ...administrator, HEARTH_DATA: data };
    {
      await using server = await startProgram(environment);
      const api = createApiClient(server.url, `token ${token}`);
      for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await api.post("/user/repos", { name: `demo-${number}`, auto_init: true }).expect(201);
      await server.stop();
    }
    const target = join(root, "killed");
    // The kill can leave a file under its temporary name, which the next run deletes.
    const packs = (): Map<string, number> =>
      new Map(
        readdirSync(target, { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".pack") && !name.includes("tmp_"))
          .map((name) => [name, statSync(join(target, name)).ino]),
      );
    for (const nth of [1, 2, 3]) {
      const killed = await runProgram(["backup", target], environment, killingAt("rename,renameat,renameat2", nth));
      expect(killed.code, killed.stderr).not.toBe(0);
      expect(refusal(await runProgram(["restore", target], { HEARTH_DATA: join(root, "new") }))).toContain("is not a complete backup");
    }
    const other = { ...administrator, HEARTH_DATA: join(root, "of-another") };
    cpSync(data, other.HEARTH_DATA, { recursive: true });
    expect(refusal(await runProgram(["backup", target], other))).toContain("has an incomplete backup of");
    const kept = packs();
    expect(await runProgram(["backup", target], environment)).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nok: the database, 8 object stores/) });
    expect([...kept].filter(([name, inode]) => packs().get(name) !== inode)).toEqual([]);
    expect(packs().size).toBe(8);
    expect(readdirSync(target, { recursive: true, encoding: "utf8" }).filter((name) => /tmp_|incomplete/.test(name))).toEqual([]);
    expect(await runProgram(["backup", "verify", target], environment)).toMatchObject({ code: 0 });
  });

  test("a backup or restore that is not possible is explained in one line, and changes nothing", async () => {
    const data = join(root, "refused");
    const environment = { ...administrator, HEARTH_DATA: data };
    expect(refusal(await runProgram(["backup", join(root, "x")], environment))).toContain("HEARTH_DATA");
    {
      await using server = await startProgram(environment);
      await server.stop();
    }
    const used = join(root, "used");
    mkdirSync(used);
    writeFileSync(join(used, "file"), "");
    expect(refusal(await runProgram(["backup"], environment))).toContain("backup FOLDER");
    expect(refusal(await runProgram(["backup", used], environment))).toContain("is not empty");
    expect(refusal(await runProgram(["backup", join(data, "backup")], environment))).toContain("inside the data folder");
    expect(refusal(await runProgram(["serve", "--no-check"], environment))).toContain("--no-check");
    expect(refusal(await runProgram(["backup", "--base", used, join(root, "x")], environment))).toContain("is not a complete backup");
    expect(refusal(await runProgram(["backup", "--keep-daily", "3", join(root, "x")], environment))).toContain("--keep-daily is not an option");
    expect(refusal(await runProgram(["backup", "verify"], environment))).toContain("backup verify FOLDER");
    expect(refusal(await runProgram(["backup", "verify", used], environment))).toContain("is not a complete backup");
    expect(refusal(await runProgram(["backup", "prune", root], environment))).toContain("--keep-daily");
    expect(refusal(await runProgram(["backup", "prune", "--keep-daily", "x", root], environment))).toContain("must be a number");
    expect(refusal(await runProgram(["restore", used], { HEARTH_DATA: join(root, "new") }))).toContain("is not a complete backup");
    const good = join(root, "good");
    expect(await runProgram(["backup", good], environment)).toMatchObject({ code: 0 });
    expect(refusal(await runProgram(["restore", good], environment))).toContain("is not empty");
    expect(refusal(await runProgram(["restore", good], { HEARTH_DATA: join(root, "new"), HEARTH_DATABASE_URL: "postgres://x@127.0.0.1:1/x" }))).toContain(
      "PostgreSQL cannot be opened",
    );
    expect(readdirSync(root)).not.toContain("new");
    writeFileSync(join(good, "backup.json"), `{"format": 99, "version": "9.9"}`);
    expect(refusal(await runProgram(["restore", good], { HEARTH_DATA: join(root, "new") }))).toContain("version 9.9");
  });
});
