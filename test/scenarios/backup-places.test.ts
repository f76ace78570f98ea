import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawIdenticon } from "../../src/features/accounts/avatars/identicon.ts";
import { createApiClient } from "../kit/api-client.ts";
import { administrator, contentOf, createFilled, fill, good, refusal, token } from "../kit/backed-up-site.ts";
import { eachDialect, onPostgres } from "../kit/databases.ts";
import { canTrace, killingAt } from "../kit/kill-at.ts";
import { runProgram, startProgram } from "../kit/program.ts";
import { type S3Server, startS3Server } from "../kit/s3-server.ts";

/** `hearth backup` to a bucket or a folder of objects, and `hearth restore` from it into either database. */

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-places-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = (): string => mkdtempSync(join(root, "run-"));

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

eachDialect((dialect) => {
  test("a backup to a bucket sends only what is new, is pruned without loss, and is restored into either database", { timeout: 240_000 }, async () => {
    const base = folder();
    await using s3 = await startS3Server();
    const { url: place, keys } = bucketOf(s3);
    await using database = await dialect.create();
    await using second = await dialect.createEmpty();
    const isEmbedded = dialect.name === "sqlite";
    const before = { ...administrator, ...keys, HEARTH_DATA: join(base, "data"), ...(isEmbedded ? {} : { HEARTH_DATABASE_URL: database.url }) };
    let content: Awaited<ReturnType<typeof contentOf>>;
    if (isEmbedded) await createFilled(before.HEARTH_DATA);
    {
      await using server = await startProgram(before);
      if (!isEmbedded) await fill(server.url);
      content = await contentOf(server.url);
      expect(good(await runProgram(["backup", place], before))).toMatch(/^backup \S+Z-[0-9a-f]{4}: \d+ rows and \d+ files; sent (\d+) of \1 objects/);
      const first = storedBytes(s3);
      await createApiClient(server.url, `token ${token}`).post("/repos/chief/demo/issues", { title: "Second" }).expect(201);
      good(await runProgram(["backup", place], before));
      // A small server changes many of its few objects.
      expect(storedBytes(s3) - first).toBeLessThan(first / 2);
      expect(good(await runProgram(["backup", "list", place], before))).toMatch(/\ncomplete backups in .*: 2\n/);
      await server.stop();
    }
    // The first backup is deleted, and the second one has everything that both refer to.
    expect(good(await runProgram(["backup", "prune", "--keep-daily", "1", place], before))).toMatch(
      /^deleted \S+\nkept 1 of 2 backups .* deleted [1-9]\d* objects/,
    );
    expect(good(await runProgram(["backup", "verify", place], before))).toMatch(/\nok: .*\nverified the backup \S+: it can be restored\n$/);
    expect(good(await runProgram(["backup", "list", place], before))).toMatch(/, verified \S+Z\ncomplete backups in .*: 1\n/);
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

eachDialect((dialect) => {
  test("a backup has the files whose rows are deleted and swept while it runs", { timeout: 240_000 }, async () => {
    const base = folder();
    await using s3 = await startS3Server();
    const { url: place, keys } = bucketOf(s3);
    await using database = await dialect.create();
    const settings = {
      ...administrator,
      ...keys,
      HEARTH_DATA: join(base, "data"),
      ...(dialect.name === "sqlite" ? {} : { HEARTH_DATABASE_URL: database.url }),
    };
    if (dialect.name === "sqlite") await createFilled(settings.HEARTH_DATA);
    await using server = await startProgram(settings);
    if (dialect.name !== "sqlite") await fill(server.url);
    const api = createApiClient(server.url, `token ${token}`);
    await api.post("/user/avatar", { image: drawIdenticon("chief", 64).toString("base64") }).expect(204);
    const content = await contentOf(server.url);
    const uploads = ["avatars", "files"].flatMap((name) =>
      readdirSync(join(base, "data", name), { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? join(entry.parentPath, entry.name) : [],
      ),
    );
    expect(uploads).toHaveLength(2);
    let deleted: Promise<void> | undefined;
    const deleteAll = async (): Promise<void> => {
      const [asset] = await api.get("/repos/chief/demo/issues/1/assets").expect(200);
      await api.delete(`/repos/chief/demo/issues/1/assets/${asset.id}`).expect(204);
      await api.delete("/user/avatar").expect(204);
      for (const path of uploads) if (existsSync(path)) utimesSync(path, 1_000, 1_000);
      for (const schedule of ["sweep_files", "sweep_avatars"]) {
        const runs = async () => (await api.get("/admin/cron?limit=100").expect(200)).find(({ name }: { name: string }) => name === schedule).exec_times;
        const before = await runs();
        await api.post(`/admin/cron/${schedule}`).expect(204);
        await expect.poll(runs, { timeout: 30_000, interval: 100 }).toBeGreaterThan(before);
      }
    };
    // The rows have been read before the first object is sent.
    s3.intercept = async (method, key) => {
      if (method !== "PUT" || !key.includes("/objects/")) return;
      deleted ??= deleteAll();
      await deleted;
    };
    good(await runProgram(["backup", place], settings));
    s3.intercept = undefined;
    expect(deleted).toBeDefined();
    expect(await api.get("/repos/chief/demo/issues/1/assets").expect(200)).toEqual([]);
    expect(good(await runProgram(["backup", "verify", place], settings))).toMatch(/\nverified the backup /);
    await server.stop();
    const after = { ...administrator, ...keys, HEARTH_DATA: join(base, "restored") };
    good(await runProgram(["restore", place], after));
    await using again = await startProgram(after);
    expect(await contentOf(again.url)).toEqual(content);
    await again.stop();
  });
});

describe("places of backups", () => {
  const contentAfterStart = async (settings: Readonly<Record<string, string>>) => {
    await using server = await startProgram(settings);
    const content = await contentOf(server.url);
    await server.stop();
    return content;
  };
  const filesBelow = (path: string): readonly string[] =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test("an encrypted backup is read with its identity only, and a second one sends only what is new", { timeout: 240_000 }, async () => {
    const base = folder();
    await using s3 = await startS3Server();
    const { url: place, keys } = bucketOf(s3);
    const [identity, other] = await Promise.all([generateIdentity(), generateIdentity()]);
    const recipient = await identityToRecipient(identity);
    const [own, foreign] = [join(base, "own.key"), join(base, "foreign.key")];
    writeFileSync(own, `# public key: ${recipient}\n${identity}\n`);
    writeFileSync(foreign, `${other}\n`);
    const before = { ...administrator, ...keys, HEARTH_DATA: join(base, "data"), HEARTH_BACKUP_RECIPIENTS: recipient };
    const content = await createFilled(before.HEARTH_DATA);
    good(await runProgram(["backup", place], before));
    const first = storedBytes(s3);
    good(await runProgram(["backup", place], before));
    // Only the rows that the start and stop of a server changed, and the lists.
    expect(storedBytes(s3) - first).toBeLessThan(first / 4);
    const readable = [...s3.objects].filter(([, { content }]) => content.includes("attached") || content.includes("searchable"));
    expect(readable.map(([key]) => key)).toEqual([]);
    good(await runProgram(["backup", "prune", "--keep-daily", "1", place], before));
    expect(good(await runProgram(["backup", "list", place], before))).toMatch(/, encrypted\ncomplete backups in .*: 1\n/);
    const after = { ...administrator, ...keys, HEARTH_DATA: join(base, "restored") };
    expect(refusal(await runProgram(["restore", place], after))).toContain(`the backup is encrypted to ${recipient}: name the file with the identity`);
    expect(refusal(await runProgram(["restore", "--identity", foreign, place], after))).toContain(
      `the identity does not fit: the backup is encrypted to ${recipient}`,
    );
    expect(refusal(await runProgram(["restore", "--identity", place, place], after))).toContain("cannot be read (ENOENT)");
    expect(readdirSync(base)).not.toContain("restored");
    expect(good(await runProgram(["backup", "verify", "--identity", own, place], before))).toMatch(/\nverified the backup /);
    good(await runProgram(["restore", "--identity", own, place], after));
    expect(await contentAfterStart(after)).toEqual(content);
    expect(refusal(await runProgram(["backup", "--recipient", "age1nonsense", place], before))).toContain("is not a public key of age");
  });

  test("an incremental backup after a change of 1 % moves at most 3 % of the bytes", { timeout: 300_000 }, async () => {
    const base = folder();
    await using s3 = await startS3Server();
    const { url: place, keys } = bucketOf(s3);
    const settings = { ...administrator, ...keys, HEARTH_DATA: join(base, "data") };
    await using server = await startProgram(settings);
    const api = createApiClient(server.url, `token ${token}`);
    const write = (name: string) =>
      api
        .post(`/repos/chief/${name}/contents/data-${randomBytes(4).toString("hex")}`, { message: "data", content: randomBytes(120_000).toString("base64") })
        .expect(201);
    for (let n = 0; n < 100; n += 1) {
      await api.post("/user/repos", { name: `r${n}` }).expect(201);
      await write(`r${n}`);
      await api.post(`/repos/chief/r${n}/issues`, { title: `Issue ${n}`, body: randomBytes(600).toString("hex") }).expect(201);
    }
    good(await runProgram(["backup", place], settings));
    const first = storedBytes(s3);
    expect(first).toBeGreaterThan(12_000_000);
    await write("r7");
    await api.post("/repos/chief/r7/issues", { title: "Another", body: randomBytes(600).toString("hex") }).expect(201);
    good(await runProgram(["backup", place], settings));
    expect((storedBytes(s3) - first) / first).toBeLessThanOrEqual(0.03);
    await server.stop();
  });

  test("a damaged, incomplete or unknown backup and a used target are refused in one line", { timeout: 240_000 }, async () => {
    const base = folder();
    const place = `file://${join(base, "place")}`;
    const before = { ...administrator, HEARTH_DATA: join(base, "data") };
    await createFilled(before.HEARTH_DATA);
    good(await runProgram(["backup", place], before));
    const restoring = (name: string) => ({ ...administrator, HEARTH_DATA: join(base, name) });
    const objects = filesBelow(join(base, "place", "objects")).toSorted((one, two) => statSync(two).size - statSync(one).size);
    const [largest = ""] = objects;
    const content = readFileSync(largest);
    writeFileSync(largest, content.subarray(0, 100));
    expect(refusal(await runProgram(["restore", place], restoring("truncated")))).toMatch(
      /the object [0-9a-f]{16} of the backup is damaged: use another backup/,
    );
    const changed = Buffer.from(content);
    changed[content.length - 20] = (changed[content.length - 20] ?? 0) ^ 1;
    writeFileSync(largest, changed);
    expect(refusal(await runProgram(["restore", place], restoring("truncated")))).toMatch(/is damaged: use another backup/);
    expect(refusal(await runProgram(["backup", "verify", place], before))).toMatch(/is damaged/);
    rmSync(largest);
    expect(refusal(await runProgram(["restore", place], restoring("missing")))).toMatch(/the object [0-9a-f]{16} of the backup is missing/);
    expect(refusal(await runProgram(["serve"], restoring("missing")))).toContain("has an incomplete restore");
    writeFileSync(largest, content);
    // The restore that failed continues with the repaired backup.
    good(await runProgram(["restore", place], restoring("truncated")));
    expect((await runProgram(["doctor"], restoring("truncated"))).code).toBe(0);
    expect(refusal(await runProgram(["restore", place], before))).toContain("is not empty");
    expect(refusal(await runProgram(["restore", "--backup", "none", place], restoring("new")))).toContain("has no complete backup none");
    expect(refusal(await runProgram(["restore", `file://${join(base, "nothing")}`], restoring("new")))).toContain("has no complete backup");
    expect(refusal(await runProgram(["restore", "s3://host/UPPER"], restoring("new")))).toContain("is not an address of backups");
    expect(refusal(await runProgram(["backup", "--base", base, place], before))).toContain("--base is not an option for a bucket");
    const [manifest = ""] = filesBelow(join(base, "place", "backups")).filter((path) => path.endsWith(".json"));
    writeFileSync(manifest, "{");
    expect(refusal(await runProgram(["restore", place], restoring("new")))).toMatch(/the description of the backup \S+ in .* is damaged/);
    writeFileSync(manifest, '{"format": 99, "version": "9.9"}');
    expect(refusal(await runProgram(["restore", place], restoring("new")))).toContain("use version 9.9");
    expect(readdirSync(base)).not.toContain("new");
  });

  test("a server backs itself up as scheduled, verifies and prunes, and shows a failure in administration, metrics and doctor", {
    timeout: 240_000,
  }, async () => {
    const base = folder();
    await using s3 = await startS3Server();
    const { url: place, keys } = bucketOf(s3);
    const settings = {
      ...administrator,
      ...keys,
      HEARTH_DATA: join(base, "data"),
      HEARTH_BACKUP_URL: place,
      HEARTH_BACKUP_SCHEDULE: "hourly",
      HEARTH_BACKUP_VERIFY: "true",
      HEARTH_BACKUP_KEEP_DAILY: "1",
      HEARTH_BACKUP_KEEP_WEEKLY: "0",
      HEARTH_BACKUP_KEEP_MONTHLY: "0",
    };
    await createFilled(settings.HEARTH_DATA);
    await using server = await startProgram(settings);
    const api = createApiClient(server.url, `token ${token}`);
    const manifests = () =>
      [...s3.objects].filter(([key]) => /^backups\/backups\/.*\.json$/.test(key)).map(([, { content }]) => JSON.parse(content.toString()));
    const runOnce = async (): Promise<void> => {
      const { exec_times: before } = (await api.get("/admin/cron?limit=100").expect(200)).find(({ name }: { name: string }) => name === "back_up");
      await api.post("/admin/cron/back_up").expect(204);
      const jobs = () => new DatabaseSync(join(base, "data", "hearth.db"), { readOnly: true });
      await expect
        .poll(
          () => {
            using db = jobs();
            return db.prepare("select count(*) as count from jobs where kind = 'schedule.back_up'").get()?.count;
          },
          { timeout: 90_000, interval: 50 },
        )
        .toBe(0);
      expect(before).toBeTypeOf("number");
    };
    await runOnce();
    expect(manifests()).toEqual([expect.objectContaining({ verified: expect.stringMatching(/Z$/) })]);
    await runOnce();
    expect(manifests()).toHaveLength(1);
    expect((await runProgram(["doctor"], settings)).stdout).toMatch(/\nok: /);
    // A bucket that accepts no writes.
    s3.fail("PUT", 1_000);
    await runOnce();
    s3.fail("PUT", 0);
    expect(await runProgram(["doctor"], settings)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("backups: the last scheduled one failed: backup: the file storage cannot be reached"),
    });
    await server.stop();
    await using again = await startProgram(settings);
    const page = await fetch(`${again.url}/-/admin`, { headers: { authorization: `token ${token}` } });
    expect(await page.text()).toMatch(/The last scheduled backup failed\.[\s\S]*backup: the file storage cannot be reached/);
    await again.stop();
  });

  test("a restore without the secret key names the secrets that are lost, and users still sign in", { timeout: 240_000 }, async () => {
    const base = folder();
    const key = { HEARTH_SECRET_KEY: "ab".repeat(32) };
    const before = { ...administrator, HEARTH_DATA: join(base, "data"), HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0" };
    {
      await using server = await startProgram({ ...before, ...key });
      await fill(server.url);
      const config = { url: "http://127.0.0.1:1/hook", content_type: "json", secret: "s3cret" };
      await createApiClient(server.url, `token ${token}`)
        .post("/repos/chief/demo/hooks", { type: "gitea", config, events: ["push"], active: false })
        .expect(201);
      await server.stop();
    }
    for (const target of [join(base, "plain"), `file://${join(base, "place")}`]) {
      good(await runProgram(["backup", target], { ...before, ...key }));
      const after = { ...before, HEARTH_DATA: join(base, target.startsWith("file") ? "of-place" : "of-plain") };
      const printed = good(await runProgram(["restore", target], after));
      expect(printed).toMatch(/\ndeleted: ssh\.host_key\.\S+; the server creates a new one\n/);
      expect(printed).toMatch(/\ncannot be read: 1 values of \w+\.\w*secret\w*; enter them again\n/);
      await using server = await startProgram(after);
      const basic = { authorization: `Basic ${Buffer.from("chief:a long pass phrase").toString("base64")}` };
      expect((await fetch(`${server.url}/api/v1/user`, { headers: basic })).status).toBe(200);
      await contentOf(server.url);
      await server.stop();
      const kept = { ...after, ...key, HEARTH_DATA: `${after.HEARTH_DATA}-with-key` };
      expect(good(await runProgram(["restore", target], kept))).not.toContain("cannot be read");
    }
  });

  const killed = "backups and restores that are killed at any file can be repeated";
  test.skipIf(!canTrace)(canTrace ? killed : `${killed} (skipped: strace is not installed)`, { timeout: 300_000 }, async () => {
    const base = folder();
    const place = `file://${join(base, "place")}`;
    const before = { ...administrator, HEARTH_DATA: join(base, "data") };
    const content = await createFilled(before.HEARTH_DATA);
    for (const nth of [1, 5, 12]) {
      expect((await runProgram(["backup", place], before, killingAt("rename,renameat,renameat2", nth))).code).not.toBe(0);
      expect(refusal(await runProgram(["restore", place], { HEARTH_DATA: join(base, "new") }))).toContain("has no complete backup");
    }
    good(await runProgram(["backup", place], before));
    const after = { ...administrator, HEARTH_DATA: join(base, "restored") };
    for (const nth of [1, 2, 3]) expect((await runProgram(["restore", place], after, killingAt("rename,renameat,renameat2", nth))).code).not.toBe(0);
    good(await runProgram(["restore", place], after));
    expect((await runProgram(["doctor"], after)).code).toBe(0);
    expect(await contentAfterStart(after)).toEqual(content);
  });

  const full = "a disk that fills up during a backup is one line, and the backup can be repeated";
  const canMount = process.getuid?.() === 0;
  test.skipIf(!canMount)(canMount ? full : `${full} (skipped: only root mounts a small disk)`, { timeout: 240_000 }, async () => {
    const base = folder();
    const disk = join(base, "disk");
    mkdirSync(disk);
    const before = { ...administrator, HEARTH_DATA: join(base, "data") };
    await createFilled(before.HEARTH_DATA);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=40k", "tmpfs", disk]);
    try {
      expect(refusal(await runProgram(["backup", `file://${disk}`], before))).toContain("the storage is full");
      expect(refusal(await runProgram(["restore", `file://${disk}`], { HEARTH_DATA: join(base, "new") }))).toContain("has no complete backup");
      execFileSync("mount", ["-o", "remount,size=40m", disk]);
      good(await runProgram(["backup", `file://${disk}`], before));
      good(await runProgram(["backup", "verify", `file://${disk}`], before));
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

onPostgres((dialect) => {
  test("a backup of an embedded database is restored into PostgreSQL, from a folder and from a bucket", { timeout: 240_000 }, async () => {
    const base = folder();
    const before = { ...administrator, HEARTH_DATA: join(base, "data") };
    const content = await createFilled(before.HEARTH_DATA);
    const [plain, place] = [join(base, "plain"), `file://${join(base, "place")}`];
    for (const target of [plain, place]) {
      good(await runProgram(["backup", target], before));
      await using database = await dialect.createEmpty();
      const after = { ...administrator, HEARTH_DATA: join(base, `of-${target === plain ? "plain" : "place"}`), HEARTH_DATABASE_URL: database.url };
      good(await runProgram(["restore", target], after));
      await using server = await startProgram(after);
      expect(await contentOf(server.url)).toEqual(content);
      await server.stop();
    }
  });
});
