import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeLogStatus } from "../../src/app/log-shipping/status.ts";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";
import { ensureGateway, gatewayMissing, type S3Gateway, startGateway } from "../kit/s3-gateway.ts";
import { type S3Server, startS3Server } from "../kit/s3-server.ts";

/** The log of the embedded database in a bucket: a server that is killed, the loss of its data folder, and `hearth restore --at`. */

const token = "7a".repeat(20);
const base64 = (content: string | Buffer): string => Buffer.from(content).toString("base64");
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-log-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const settingsOf = (data: string, bucket: Readonly<Record<string, string>>): Record<string, string> => ({
  HEARTH_DATA: data,
  HEARTH_ADMIN_USERNAME: "chief",
  HEARTH_ADMIN_PASSWORD: "a long pass phrase",
  HEARTH_ADMIN_TOKEN: token,
  HEARTH_LOG_SHIPPING_URL: bucket.HEARTH_STORAGE_URL ?? "",
  HEARTH_LOG_SHIPPING_ACCESS_KEY: bucket.HEARTH_STORAGE_ACCESS_KEY ?? "",
  HEARTH_LOG_SHIPPING_SECRET_KEY: bucket.HEARTH_STORAGE_SECRET_KEY ?? "",
});
const apiOf = (server: RunningProgram): ApiClient => createApiClient(server.url, `token ${token}`);

/** A write with the times of its request and of its acknowledgement. */
interface Write {
  readonly kind: "issue" | "file" | "attachment" | "push";
  readonly name: string;
  readonly content: string;
  readonly begunMs: number;
  readonly ackMs: number | undefined;
}

describe.skipIf(gatewayMissing !== undefined)(
  `a server that ships its log to an S3 service${gatewayMissing === undefined ? "" : ` (${gatewayMissing})`}`,
  () => {
    let gateway: S3Gateway;
    let git: GitUser;
    beforeAll(async () => {
      await ensureGateway();
      [gateway, git] = await Promise.all([startGateway(), createGitUser()]);
    }, 900_000);
    afterAll(async () => {
      await gateway?.[Symbol.asyncDispose]();
      await git?.[Symbol.asyncDispose]();
    });

    test("a server that is killed loses only what was acknowledged in its last second, although its data folder is lost", { timeout: 180_000 }, async () => {
      const data = join(root, "data");
      const settings = settingsOf(data, gateway.environment);
      const server = await startProgram(settings);
      const api = apiOf(server);
      await api.post("/user/repos", { name: "r", auto_init: true }).expect(201);
      await api.post("/user/repos", { name: "pushed" }).expect(201);
      await api.post("/repos/chief/r/issues", { title: "files" }).expect(201);
      await api.put("/repos/chief/r/actions/secrets/KEY", { data: "sealed" });
      await expect.poll(() => existsSync(join(gateway.objects, "hearth/bases")), { timeout: 30_000 }).toBe(true);

      const writes: Write[] = [];
      let isOver = false;
      const write = async (kind: Write["kind"], name: string, content: string, work: () => Promise<boolean>): Promise<void> => {
        const begunMs = Date.now();
        const isDone = await work().catch(() => false);
        writes.push({ kind, name, content, begunMs, ackMs: isDone ? Date.now() : undefined });
      };
      const repeat = async (one: (at: number) => Promise<void>): Promise<void> => {
        for (let at = 0; !isOver; at += 1) await one(at);
      };
      const writers = [
        ...[1, 2, 3].map((writer) =>
          repeat((at) =>
            write(
              "issue",
              `issue ${writer}-${at}`,
              "",
              async () => (await api.post("/repos/chief/r/issues", { title: `issue ${writer}-${at}` })).status === 201,
            ),
          ),
        ),
        repeat((at) => {
          const content = base64(randomBytes(at % 5 === 0 ? 200_000 : 100));
          return write(
            "file",
            `${at}.bin`,
            content,
            async () => (await api.post(`/repos/chief/r/contents/${at}.bin`, { content, message: `${at}` })).status === 201,
          );
        }),
        repeat((at) => {
          const content = randomBytes(at % 4 === 0 ? 100_000 : 50).toString("hex");
          const headers = { "content-type": "application/octet-stream" };
          return write("attachment", `${at}.txt`, content, async () => {
            const path = `/repos/chief/r/issues/1/assets?name=${at}.txt`;
            return (await api.post(path, Buffer.from(content), headers)).status === 201;
          });
        }),
      ];
      const origin = `${server.url.replace("//", `//chief:${token}@`)}/chief/pushed.git`;
      await git.git(".", "init", "-q", "-b", "main", "work");
      await git.git("work", "commit", "-q", "--allow-empty", "-m", "start");
      writers.push(
        repeat((at) =>
          write("push", `tag-${at}`, "", async () => {
            await git.git("work", "commit", "-q", "--allow-empty", "-m", `push ${at}`);
            await git.git("work", "tag", `tag-${at}`);
            await git.git("work", "push", "-q", origin, `tag-${at}`);
            return true;
          }),
        ),
      );
      const count = (): number => writes.filter(({ ackMs }) => ackMs !== undefined).length;
      await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(100);
      const middleMs = Date.now();
      const atLeast = count();
      await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(atLeast + 200);
      const killedMs = Date.now();
      await server.kill();
      isOver = true;
      await Promise.all(writers);
      rmSync(data, { recursive: true });

      const found = async (at: string): Promise<{ readonly restoredMs: number; readonly missing: Write[]; readonly present: Write[] }> => {
        const restored = join(root, `restored-${at.slice(0, 6)}`);
        const environment = settingsOf(restored, gateway.environment);
        const run = await runProgram(["restore", "--at", at, environment.HEARTH_LOG_SHIPPING_URL ?? ""], environment);
        expect(run, run.stderr).toMatchObject({ code: 0, stderr: "" });
        const [, time = ""] = /^restored the state of (\S+): the database and \d+ files/.exec(run.stdout) ?? [];
        const checked = await runProgram(["doctor"], { ...environment, HEARTH_LOG_SHIPPING_URL: "" });
        expect(checked, checked.stdout).toMatchObject({ code: 0 });
        await using again = await startProgram({ ...environment, HEARTH_LOG_SHIPPING_URL: "" });
        const here = apiOf(again);
        const issues = new Set<string>();
        for (let page = 1, length = 50; length === 50; page += 1) {
          const listed = (await here.get(`/repos/chief/r/issues?limit=50&page=${page}&state=all`).expect(200)) as { title: string }[];
          for (const { title } of listed) issues.add(title);
          length = listed.length;
        }
        const attached = new Map<string, string>();
        for (const { name, browser_download_url: url } of await here.get("/repos/chief/r/issues/1/assets").expect(200))
          attached.set(name, await (await fetch(url, { headers: { authorization: `token ${token}` } })).text());
        const copy = `copy-${at.slice(0, 6)}`;
        await git.git(".", "clone", "-q", `${again.url.replace("//", `//chief:${token}@`)}/chief/r.git`, copy);
        await git.git(copy, "fsck", "--full", "--strict");
        const tags = await git.git(".", "ls-remote", "--tags", `${again.url.replace("//", `//chief:${token}@`)}/chief/pushed.git`);
        const has = async ({ kind, name, content }: Write): Promise<boolean> => {
          if (kind === "issue") return issues.has(name);
          if (kind === "push") return tags.split(/\s/).includes(`refs/tags/${name}`);
          if (kind === "attachment") return attached.get(name) === content;
          const answer = await here.get(`/repos/chief/r/contents/${name}`);
          return answer.status === 200 && answer.json.content === content;
        };
        const present: Write[] = [];
        const missing: Write[] = [];
        for (const one of writes) ((await has(one)) ? present : missing).push(one);
        return { restoredMs: Date.parse(time), present, missing };
      };

      const names = (listed: readonly Write[]): string[] => listed.map(({ kind, name, ackMs = 0 }) => `${kind} ${name} ${ackMs - killedMs}`);
      const slowestMs = Math.max(...writes.map(({ begunMs, ackMs = begunMs }) => ackMs - begunMs));
      const newest = await found("newest");
      expect(names(newest.missing.filter(({ ackMs = Number.POSITIVE_INFINITY }) => ackMs < newest.restoredMs))).toEqual([]);
      // The slowest write shows how busy the machine was.
      expect(names(newest.missing.filter(({ ackMs = Number.POSITIVE_INFINITY }) => ackMs < killedMs - 1_000 - slowestMs))).toEqual([]);
      const middle = await found(new Date(middleMs).toISOString());
      expect(names(middle.missing.filter(({ ackMs = Number.POSITIVE_INFINITY }) => ackMs <= middleMs))).toEqual([]);
      expect(names(middle.present.filter(({ begunMs }) => begunMs > middleMs))).toEqual([]);
      expect(new Set(middle.present.map(({ kind }) => kind)).size).toBe(4);
      expect(middle.present.length).toBeLessThan(newest.present.length);
    });
  },
);

describe("a log in a bucket", () => {
  let bucket: S3Server;
  beforeAll(async () => {
    bucket = await startS3Server();
  });
  afterAll(() => bucket[Symbol.asyncDispose]());

  const folder = (): string => mkdtempSync(join(root, "run-"));
  const keys = (part: string): string[] => [...bucket.objects.keys()].filter((key) => key.includes(part)).sort();
  const settingsIn = (data: string, prefix: string): Record<string, string> => {
    const settings = settingsOf(data, bucket.environment);
    return { ...settings, HEARTH_LOG_SHIPPING_URL: settings.HEARTH_LOG_SHIPPING_URL?.replace("/hearth?", `/${prefix}?`) ?? "" };
  };
  const restore = (at: string, prefix: string, data = join(folder(), "data")) => {
    const environment = settingsIn(data, prefix);
    return runProgram(["restore", "--at", at, environment.HEARTH_LOG_SHIPPING_URL ?? ""], environment);
  };
  const titles = async (data: string): Promise<string[]> => {
    await using server = await startProgram({ ...settingsIn(data, "none"), HEARTH_LOG_SHIPPING_URL: "" });
    return (await apiOf(server).get("/repos/chief/r/issues?limit=50&state=all").expect(200)).map(({ title }: { title: string }) => title).sort();
  };
  const hasBase = (prefix: string): Promise<void> => expect.poll(() => keys(`${prefix}/bases/`).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const refusal = (run: { readonly code: number | null; readonly stderr: string }): string => {
    expect(run.code, run.stderr).toBe(1);
    expect(run.stderr).toMatch(/^hearth: [^\n]+\n$/);
    return run.stderr;
  };

  test("the log continues over a restart and a kill, and a missing, truncated, changed or swapped part is named", { timeout: 180_000 }, async () => {
    const data = join(folder(), "data");
    const settings = settingsIn(data, "parts");
    const times: number[] = [];
    const write = async (server: RunningProgram, title: string): Promise<void> => {
      const sent = keys("parts/segments/").length;
      await apiOf(server).post("/repos/chief/r/issues", { title }).expect(201);
      times.push(Date.now());
      // Each issue gets a segment of its own.
      await expect.poll(() => keys("parts/segments/").length, { timeout: 30_000 }).toBeGreaterThan(sent);
    };
    {
      await using server = await startProgram(settings);
      await hasBase("parts");
      await apiOf(server).post("/user/repos", { name: "r", auto_init: true }).expect(201);
      for (const title of ["one", "two", "three"]) await write(server, title);
      const sent = keys("parts/segments/").length;
      // A tool in another process changes the database while the server has nothing to do.
      expect(await runProgram(["admin", "user", "create", "grace", "grace@example.org"], settings)).toMatchObject({ code: 0 });
      await expect.poll(() => keys("parts/segments/").length, { timeout: 30_000 }).toBeGreaterThan(sent);
      expect(await server.stop()).toBe(0);
    }
    {
      await using server = await startProgram(settings);
      await expect.poll(() => keys("parts/bases/").length, { timeout: 30_000 }).toBe(2);
      for (const title of ["four", "five", "six"]) await write(server, title);
      await server.kill();
    }
    const target = join(folder(), "data");
    expect(await restore("newest", "parts", target)).toMatchObject({ code: 0, stderr: "" });
    expect(await titles(target)).toEqual(["five", "four", "one", "six", "three", "two"]);
    const earlier = join(folder(), "data");
    expect(await restore(new Date(times[1] ?? 0).toISOString(), "parts", earlier)).toMatchObject({ code: 0, stderr: "" });
    expect(await titles(earlier)).toEqual(["one", "two"]);
    expect(refusal(await restore("newest", "parts", earlier))).toContain("is not empty");
    expect(refusal(await restore("yesterday", "parts"))).toContain("--at must be newest, or a time such as 2026-03-02T03:00:00Z, not yesterday");
    expect(refusal(await restore("2026-03-02T03:00:00Z", "parts"))).toMatch(/the log begins at \d{4}-.*Z: choose that time or a later one/);
    expect(refusal(await restore("newest", "elsewhere"))).toContain("there is no log in s3+http://");

    const [base = ""] = keys("parts/bases/").slice(-1);
    const [first = "", second = "", third = ""] = keys(base.replace("/bases/", "/segments/")).slice(-3);
    const damage = async (change: () => void): Promise<string> => {
      const before = new Map(bucket.objects);
      change();
      const message = refusal(await restore("newest", "parts"));
      bucket.objects.clear();
      for (const [key, value] of before) bucket.objects.set(key, value);
      return message;
    };
    const contentOf = (key: string) => bucket.objects.get(key) ?? { content: Buffer.alloc(0), writtenMs: 0 };
    const until = /: states up to (\S+Z) can be restored with --at \1; for later ones, restore that object from a version of the bucket/;
    const replaced = (key: string, content: Buffer) => () => void bucket.objects.set(key, { ...contentOf(key), content });
    const truncated = await damage(replaced(second, contentOf(second).content.subarray(0, 100)));
    expect(truncated).toContain(`${second} is damaged: it is truncated or was changed`);
    expect(truncated).toMatch(until);
    const flipped = Buffer.from(contentOf(second).content);
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
    expect(await damage(replaced(second, flipped))).toContain(`${second} is damaged`);
    expect(await damage(() => void bucket.objects.delete(first))).toMatch(new RegExp(`${first} is missing${until.source}`));
    expect(await damage(replaced(second, contentOf(third).content))).toContain(`${second} has the content of another object`);
    expect(await damage(replaced(base, contentOf(base).content.subarray(10)))).toMatch(new RegExp(`${base} is damaged${until.source}`));
    const chunks = keys("parts/chunks/");
    expect(await damage(() => chunks.forEach((key) => void bucket.objects.delete(key)))).toMatch(/chunks\/\w+ is missing, which is part of the base/);
    expect(await damage(() => keys("parts/content/").forEach((key) => void bucket.objects.delete(key)))).toMatch(/content\/\S+ is missing in the bucket/);
    // An error leaves nothing that a server would start with.
    const half = join(folder(), "data");
    const [last = ""] = chunks.slice(-1);
    const kept = contentOf(last);
    bucket.objects.delete(last);
    const run = await restore("newest", "parts", half);
    bucket.objects.set(last, kept);
    if (run.code === 1) expect(refusal(await runProgram(["serve"], settingsIn(half, "parts")))).toContain("has an incomplete restore");
  });

  test("a bucket that does not answer blocks no write and bounds the log of the database, which is copied again", { timeout: 180_000 }, async () => {
    const data = join(folder(), "data");
    const settings = { ...settingsIn(data, "outage"), HEARTH_LOG_SHIPPING_MAX_WAITING_BYTES: "16777216", HEARTH_METRICS: "true" };
    await using server = await startProgram(settings);
    const api = apiOf(server);
    await hasBase("outage");
    await api.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    bucket.fail("PUT", Number.POSITIVE_INFINITY);
    const body = "x".repeat(400_000);
    let largest = 0;
    for (let at = 0; at < 90; at += 1) {
      await api.post("/repos/chief/r/issues", { title: `issue ${at}`, body: `${at} ${body}` }).expect(201);
      largest = Math.max(largest, statSync(join(data, "hearth.db-wal")).size);
    }
    expect(statSync(join(data, "hearth.db")).size).toBeGreaterThan(32 * 1_048_576);
    expect(largest).toBeLessThan(24 * 1_048_576);
    const metrics = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();
    await expect.poll(metrics, { timeout: 30_000 }).toMatch(/^hearth_log_shipping_lag_seconds [1-9]/m);
    await expect.poll(metrics, { timeout: 30_000 }).toMatch(/^hearth_log_shipping_failing 1$/m);
    bucket.fail("PUT", 0);
    await expect.poll(() => keys("outage/bases/").length, { timeout: 60_000 }).toBe(2);
    await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^hearth_log_shipping_failing 0$/m);
    await api.post("/repos/chief/r/issues", { title: "after" }).expect(201);
    await expect.poll(metrics, { timeout: 30_000 }).toMatch(/^hearth_log_shipping_lag_seconds 0$/m);
    await server.kill();
    const target = join(folder(), "data");
    expect(await restore("newest", "outage", target)).toMatchObject({ code: 0, stderr: "" });
    expect(await titles(target)).toContain("after");
    expect(await runProgram(["doctor"], { HEARTH_DATA: target })).toMatchObject({ code: 0 });
    // A server that could not ship for a while has left its status.
    const behind = { lagBytes: 1, shippedMs: undefined, baseMs: undefined, hasBase: false, failure: "the bucket is gone", failedSinceMs: 1, atMs: Date.now() };
    writeLogStatus(target, { ...behind, lagMs: 61_000 });
    expect(await runProgram(["doctor"], settingsIn(target, "outage"))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\nlog in the bucket: 61 seconds behind at \S+Z, it has no copy of the database yet: the bucket is gone\n/),
    });
  });

  test("a bucket belongs to one server at a time", { timeout: 120_000 }, async () => {
    await using first = await startProgram(settingsIn(join(folder(), "data"), "shared"));
    await hasBase("shared");
    const other = join(folder(), "data");
    await using second = await startProgram(settingsIn(other, "shared"));
    await expect.poll(() => second.output(), { timeout: 30_000 }).toContain("another server ships its log to the same place");
    expect(keys("shared/bases/")).toHaveLength(1);
    expect(await first.stop()).toBe(0);
    await expect.poll(() => keys("shared/bases/").length, { timeout: 30_000 }).toBe(2);
  });

  test("the setting is refused beside PostgreSQL, without a key, and with syncs by SQLite", async () => {
    const settings = settingsIn(join(folder(), "data"), "refused");
    expect(refusal(await runProgram(["serve"], { ...settings, HEARTH_DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }))).toContain(
      "log_shipping.url requires the embedded database",
    );
    expect(refusal(await runProgram(["serve"], { ...settings, HEARTH_DATABASE_DURABILITY: "full" }))).toContain(
      "log_shipping.url requires database.durability",
    );
    expect(refusal(await runProgram(["serve"], { ...settings, HEARTH_LOG_SHIPPING_SECRET_KEY: "" }))).toContain("HEARTH_LOG_SHIPPING_ACCESS_KEY");
    expect(refusal(await runProgram(["backup", "--at", "newest", "x"]))).toContain("--at is an option of `hearth restore`");
  });
});
