import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, chunksOf, createClient, importObjects, openTestStores, rawPack, showRefs, type TestStores } from "../../../test/kit/git.ts";
import { ForgeError } from "../../core/errors.ts";
import { readCommit } from "../objects/objects.ts";
import { runGit } from "../run/runner.ts";
import { type GitStore, materialize } from "../stores.ts";
import type { Oid } from "../types.ts";
import type { PackLimits } from "./incoming-pack.ts";
import { createQuarantine, type Quarantine } from "./pack.ts";
import { isPackRefused } from "./pack-problems.ts";

let kit: TestStores;
const clients: ClientRepository[] = [];
const limits: PackLimits = { maxBytes: 1 << 28 };

beforeAll(async () => {
  kit = await openTestStores({ memoryBytes: 512 * 1024 * 1024 });
});

afterAll(() => kit.close());

afterEach(() => {
  for (const client of clients.splice(0)) client.remove();
});

function client(format: "sha1" | "sha256" = "sha1"): ClientRepository {
  const made = createClient(format);
  clients.push(made);
  return made;
}

/** Whether an object is in the store, according to git. */
async function has(store: GitStore, oid: Oid): Promise<boolean> {
  const found = await runGit(store, { name: "rev-list", flags: { "--no-walk": true }, revisions: [oid] }, { accept: [0, 128] });
  return found.code === 0;
}

async function problemOf(work: Promise<unknown>): Promise<{ code: string; problem: unknown; message: string; details: readonly string[] | undefined }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ForgeError)) throw new Error("the work was to fail with a ForgeError", { cause: error });
  return { code: error.code, problem: error.options.meta?.problem, message: error.message, details: error.options.details };
}

async function leftOvers(store: GitStore): Promise<string[]> {
  return (await readdir(store.objectsPath)).filter((name) => name.startsWith("tmp_"));
}

describe("a quarantine", () => {
  for (const format of ["sha1", "sha256"] as const) {
    test(`hides its objects until it is promoted (${format})`, async () => {
      const store = kit.fresh(format);
      const work = client(format);
      const first = work.commit({ "a.txt": "one\n" });
      const quarantine = await createQuarantine(store);
      const received = await quarantine.receivePack(chunksOf(work.pack([first]), 7), limits);
      expect(received.objectCount).toBe(3);
      await quarantine.checkConnected({ tipOids: [first], knownOids: [] });
      expect(await has(quarantine.store, first)).toBe(true);
      expect(await has(store, first)).toBe(false);
      await quarantine.promote();
      expect(await has(store, first)).toBe(true);
      expect(await leftOvers(store)).toEqual([]);

      const second = work.commit({ "a.txt": "two\n", "d/b.txt": "b\n" });
      const next = await createQuarantine(store);
      await next.receivePack(chunksOf(work.pack([second], [first], ["--thin"])), limits);
      await next.checkConnected({ tipOids: [second], knownOids: [first] });
      await next.promote();
      expect(await has(store, second)).toBe(true);
      const checked = await runGit(await showRefs(store, {}), { name: "fsck", flags: { "--full": true, "--strict": true } });
      expect(checked.stderr).not.toMatch(/error|warning|missing/);
    });
  }

  test("leaves no files after it is discarded", async () => {
    const store = kit.fresh();
    const work = client();
    const tip = work.commit({ a: "a" });
    const quarantine = await createQuarantine(store);
    await quarantine.receivePack(chunksOf(work.pack([tip])), limits);
    await quarantine.discard();
    await quarantine.discard();
    expect(await has(store, tip)).toBe(false);
    expect(await leftOvers(store)).toEqual([]);
  });

  test("accepts the same pack twice, and two packs at the same time", async () => {
    const store = kit.fresh();
    const work = client();
    const tip = work.commit({ a: "a" });
    const pack = work.pack([tip]);
    const both = await Promise.all([createQuarantine(store), createQuarantine(store)]);
    await Promise.all(both.map((quarantine) => quarantine.receivePack(chunksOf(pack), limits)));
    await Promise.all(both.map((quarantine) => quarantine.promote()));
    expect(await has(store, tip)).toBe(true);
    expect((await readdir(join(store.objectsPath, "pack"))).filter((name) => name.endsWith(".pack"))).toHaveLength(1);
  });

  test("accepts an empty pack without a process", async () => {
    const store = kit.fresh();
    const empty = rawPack([], (data) => data);
    const before = kit.stores.counters.processes;
    const quarantine = await createQuarantine(store);
    expect(await quarantine.receivePack(chunksOf(empty, 5), limits)).toEqual({ objectCount: 0, sizeBytes: 32 });
    await quarantine.checkConnected({ tipOids: [], knownOids: [] });
    await quarantine.promote();
    expect(kit.stores.counters.processes).toBe(before);
    const bad = Buffer.from(empty);
    bad[31] = (bad[31] ?? 0) ^ 1;
    for (const broken of [bad, empty.subarray(0, 20), Buffer.concat([empty, Buffer.from("x")])]) {
      expect(await problemOf(quarantine.receivePack(chunksOf(broken), limits))).toMatchObject({ code: "malformed", problem: "bad_pack" });
    }
  });
});

describe("a pack is rejected", () => {
  let store: GitStore;
  let work: ClientRepository;
  let quarantine: Quarantine;
  let first: Oid;
  let second: Oid;

  beforeAll(() => {
    store = kit.fresh();
  });

  async function prepare(): Promise<void> {
    work = client();
    first = work.commit({ a: "line\n".repeat(500) });
    second = work.commit({ a: `${"line\n".repeat(500)}more\n` });
    quarantine = await createQuarantine(store);
  }

  afterEach(async () => {
    await quarantine.discard();
    expect(await leftOvers(store)).toEqual([]);
  });

  test("if it is truncated, modified or not a pack", async () => {
    await prepare();
    const pack = work.pack([first]);
    const changed = Buffer.from(pack);
    changed[40] = (changed[40] ?? 0) ^ 0xff;
    for (const broken of [pack.subarray(0, 6), pack.subarray(0, pack.length - 9), changed, Buffer.concat([Buffer.from("PACQ"), pack.subarray(4)])]) {
      expect(await problemOf(quarantine.receivePack(chunksOf(broken), limits))).toMatchObject({ code: "malformed", problem: "bad_pack" });
    }
  });

  test("if it exceeds the limit, by bytes or by announced objects", async () => {
    await prepare();
    const pack = work.pack([first]);
    expect(await problemOf(quarantine.receivePack(chunksOf(pack, 64), { maxBytes: 100 }))).toMatchObject({ code: "too_large", problem: "too_large" });
    const boast = Buffer.from(pack);
    boast.writeUInt32BE(4_000_000_000, 8);
    expect(await problemOf(quarantine.receivePack(chunksOf(boast), limits))).toMatchObject({ code: "too_large", problem: "too_large" });
  });

  test("if a few bytes expand to more than git's memory limit", async () => {
    await prepare();
    const size = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...size(Math.floor(value / 0x80))]);
    const base = Buffer.alloc(1 << 20);
    const copies = 20_000;
    // A delta (gitformat-pack): sizes of base and result, then `copies` times "copy 1 MiB less one from the start".
    const copy = Buffer.from([0x80 | 0x70, 0xff, 0xff, 0x0f]);
    const delta = Buffer.concat([Buffer.from([...size(base.length), ...size(copies * 0xfffff)]), ...Array.from({ length: copies }, () => copy)]);
    const baseOid = createHash("sha1").update(`blob ${base.length}\0`).update(base).digest();
    const bomb = rawPack(
      [
        { type: 3, data: base },
        { type: 7, data: delta, prefix: baseOid },
      ],
      deflateSync,
    );
    expect(bomb.length).toBeLessThan(10_000);
    expect(await problemOf(quarantine.receivePack(chunksOf(bomb), limits))).toMatchObject({ code: "too_large", problem: "too_large" });
  });

  test("if it refers to missing objects", async () => {
    await prepare();
    const thin = work.pack([second], [first], ["--thin"]);
    expect(await problemOf(quarantine.receivePack(chunksOf(thin), limits))).toMatchObject({ code: "invalid", problem: "missing_objects" });
    const whole = work.pack([second], [first]);
    expect(await problemOf(quarantine.receivePack(chunksOf(whole), limits))).toMatchObject({ code: "invalid", problem: "missing_objects" });
    const next = await createQuarantine(store);
    await next.receivePack(chunksOf(whole), limits);
    const refused = await next.checkConnected({ tipOids: [second], knownOids: [] }).catch((error: unknown) => error);
    expect(refused instanceof ForgeError && isPackRefused(refused)).toBe(true);
    expect(await problemOf(next.promote())).toMatchObject({ problem: "missing_objects" });
    await next.discard();
  });

  test("if an object violates a rule of git", async () => {
    await prepare();
    const blob = work.pipe("x", "hash-object", "-w", "--stdin").toString().trim();
    const tree = work.pipe(`100644 blob ${blob}\t.git\n`, "mktree").toString().trim();
    const commit = work.git("commit-tree", tree, "-m", "bad");
    const found = await problemOf(quarantine.receivePack(chunksOf(work.pack([commit])), limits));
    expect(found).toMatchObject({ code: "invalid", problem: "fsck" });
    expect(found.details?.[0]).toContain(`${tree}: hasDotgit`);
  });

  test("but not for the harmless faults of old histories", async () => {
    await prepare();
    const tree = work.git("rev-parse", "HEAD^{tree}");
    const raw = `tree ${tree}\nauthor A <a@example.com> 1234567890 +051800\ncommitter A <a@example.com> 1234567890 +0000\n\nold\n`;
    const commit = work.pipe(raw, "hash-object", "-t", "commit", "-w", "--stdin", "--literally").toString().trim();
    await quarantine.receivePack(chunksOf(work.pack([commit])), limits);
    await quarantine.checkConnected({ tipOids: [commit], knownOids: [] });
  });

  test("if its source fails, with the source's own error", async () => {
    await prepare();
    const pack = work.pack([first]);
    async function* cut(): AsyncGenerator<Buffer> {
      yield pack.subarray(0, 50);
      throw new ForgeError("malformed", "the client went away");
    }
    expect(await problemOf(quarantine.receivePack(cut(), limits))).toMatchObject({ code: "malformed", message: "the client went away" });
    const abort = new AbortController();
    async function* stuck(): AsyncGenerator<Buffer> {
      yield pack.subarray(0, 50);
      abort.abort();
      await new Promise(() => {});
    }
    expect(await problemOf(quarantine.receivePack(stuck(), { ...limits, signal: abort.signal }))).toMatchObject({ code: "unavailable" });
  });

  test("if the storage fails, in the quarantine or in the store", async () => {
    await prepare();
    await quarantine.open();
    const packs = join(quarantine.store.objectsPath, "pack");
    await rm(packs, { recursive: true });
    await writeFile(packs, "in the way");
    expect(await problemOf(quarantine.receivePack(chunksOf(work.pack([first])), limits))).toMatchObject({ code: "unavailable", problem: "storage" });

    await rm(packs);
    await quarantine.receivePack(chunksOf(work.pack([first])), limits);
    await rename(join(store.objectsPath, "pack"), join(store.objectsPath, "pack.aside"));
    await writeFile(join(store.objectsPath, "pack"), "in the way");
    expect(await problemOf(quarantine.promote())).toMatchObject({ code: "unavailable" });
    await rm(join(store.objectsPath, "pack"));
    await rename(join(store.objectsPath, "pack.aside"), join(store.objectsPath, "pack"));
    expect(await has(store, first)).toBe(false);
  });
});

describe("a small pack of plain objects", () => {
  const count = () => kit.stores.counters.processes;

  test.each(["sha1", "sha256"] as const)("needs no process and no file before it is accepted (%s)", async (format) => {
    const store = kit.fresh(format);
    const work = client(format);
    const first = work.commit({ "a.txt": "line\n".repeat(200), ".gitattributes": "*.txt text\n", ".gitignore": "*.o\n" });
    work.git("tag", "-a", "-m", "tagged", "v1");
    const tag = work.git("rev-parse", "v1");
    const second = work.commit({ "a.txt": `${"line\n".repeat(200)}more\n` });
    await createQuarantine(store);
    const before = count();
    for (const [tips, pack, known] of [
      [[first, tag], work.pack([first, tag]), []],
      [[second], work.pack([second], [first], ["--thin"]), [first]],
    ] as const) {
      const quarantine = await createQuarantine(store);
      await quarantine.receivePack(chunksOf(pack), limits);
      expect(await leftOvers(store)).toEqual([]);
      await quarantine.checkConnected({ tipOids: tips, knownOids: known });
      expect((await readCommit(quarantine.store, tips[0]))?.oid).toBe(tips[0]);
      expect(await leftOvers(store)).toEqual([]);
      await quarantine.promote();
      await quarantine.discard();
    }
    // One process that reads the base of the second.
    expect(count() - before).toBe(1);
    for (const oid of [first, second, tag]) expect(await has(store, oid)).toBe(true);
    const { stderr } = await runGit(await showRefs(store, {}), { name: "fsck", flags: { "--full": true, "--strict": true } });
    expect(stderr).not.toMatch(/error|warning|missing/);
  });

  test("is passed to git as soon as git reads it, or if one of its objects is unconnected", async () => {
    const store = kit.fresh();
    const work = client();
    const tip = work.commit({ a: "a" });
    const shown = await createQuarantine(store);
    await shown.receivePack(chunksOf(work.pack([tip])), limits);
    await shown.checkConnected({ tipOids: [tip], knownOids: [] });
    expect(await has(shown.store, tip)).toBe(true);
    await shown.promote();
    expect(await has(store, tip)).toBe(true);

    // A commit that no tip reaches, on top of a missing one.
    const absent = work.git("commit-tree", "-m", "absent", `${tip}^{tree}`);
    const astray = work.git("commit-tree", "-p", absent, "-m", "astray", `${tip}^{tree}`);
    const next = work.commit({ b: "b" });
    const pack = work.pipe(`${work.git("rev-list", "--objects", "--no-object-names", next, `^${tip}`)}\n${astray}\n`, "pack-objects", "--stdout", "-q");
    const quarantine = await createQuarantine(store);
    await quarantine.receivePack(chunksOf(pack), limits);
    expect(await problemOf(quarantine.checkConnected({ tipOids: [next], knownOids: [tip] }))).toMatchObject({ problem: "missing_objects" });
    await quarantine.discard();
    expect(await leftOvers(store)).toEqual([]);
  });
});

describe("connectivity", () => {
  test("is checked from the new tips down to the known refs", async () => {
    const store = kit.fresh();
    const work = client();
    const root = work.commit({ a: "1" });
    const middle = work.commit({ a: "2" });
    const tip = work.commit({ a: "3" });
    await importObjects(store, work, [root]);
    // A store with a hole: a commit and its files without its parent, as an interrupted writer might leave it.
    const holed = kit.fresh();
    await materialize(holed);
    for (const name of [middle, `${middle}^{tree}`, `${middle}:a`]) {
      const oid = work.git("rev-parse", name);
      const file = join(oid.slice(0, 2), oid.slice(2));
      await mkdir(join(holed.objectsPath, oid.slice(0, 2)), { recursive: true });
      await copyFile(join(work.path, ".git/objects", file), join(holed.objectsPath, file));
    }
    const quarantine = await createQuarantine(holed);
    await quarantine.receivePack(chunksOf(work.pack([tip], [middle])), limits);
    const checked = await problemOf(quarantine.checkConnected({ tipOids: [tip], knownOids: [] }));
    expect(checked).toMatchObject({ code: "invalid", problem: "missing_objects" });
    await quarantine.discard();

    const other = await createQuarantine(store);
    await other.receivePack(chunksOf(work.pack([tip], [root])), limits);
    await other.checkConnected({ tipOids: [tip], knownOids: [root] });
    const before = kit.stores.counters.processes;
    await other.checkConnected({ tipOids: [root], knownOids: new Set([root]) });
    expect(kit.stores.counters.processes).toBe(before);
    expect(await problemOf(other.checkConnected({ tipOids: ["0123456789012345678901234567890123456789"], knownOids: [] }))).toMatchObject({
      problem: "missing_objects",
    });
    await other.discard();
  });

  test("is accepted for long pushes, tags, and tags of files", async () => {
    const store = kit.fresh();
    const work = client();
    const root = work.commit({ a: "0" });
    await importObjects(store, work, [root]);
    const tree = work.git("rev-parse", `${root}^{tree}`);
    const lines = Array.from(
      { length: 300 },
      (_, i) => `commit refs/heads/long\ncommitter A <a@example.com> ${i + 1} +0000\ndata 2\nx\n${i === 0 ? `from ${root}\n` : ""}`,
    );
    work.pipe(lines.join(""), "fast-import", "--quiet");
    work.git("tag", "-a", "-m", "tagged", "v1", "refs/heads/long");
    work.git("tag", "-a", "-m", "a file", "v2", work.git("rev-parse", `${root}:a`));
    const tips = ["refs/heads/long", "refs/tags/v1", "refs/tags/v2"].map((name) => work.git("rev-parse", name));
    const quarantine = await createQuarantine(store);
    await quarantine.receivePack(chunksOf(work.pack(tips, [root])), limits);
    for (const tipOids of [tips, tips.slice(0, 1), tips.slice(1, 2), tips.slice(2), [tree]]) {
      await quarantine.checkConnected({ tipOids, knownOids: [root] });
    }
    await quarantine.discard();
  });

  test("rejects trees that are nested too deeply for git", async () => {
    const store = kit.fresh();
    const hash = (type: string, data: Buffer): Buffer => createHash("sha1").update(`${type} ${data.length}\0`).update(data).digest();
    const blob = Buffer.from("x");
    const objects = [{ type: 3, data: blob }];
    let entry = Buffer.concat([Buffer.from("100644 f\0"), hash("blob", blob)]);
    let top = hash("tree", entry);
    for (let depth = 0; depth < 60_000; depth++) {
      objects.push({ type: 2, data: entry });
      top = hash("tree", entry);
      entry = Buffer.concat([Buffer.from("40000 d\0"), top]);
    }
    const commit = Buffer.from(`tree ${top.toString("hex")}\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\ndeep\n`);
    objects.push({ type: 1, data: commit });
    const tip = hash("commit", commit).toString("hex");
    const quarantine = await createQuarantine(store);
    await quarantine.receivePack(chunksOf(rawPack(objects, (data) => deflateSync(data, { level: 1 }))), limits);
    const found = await problemOf(quarantine.checkConnected({ tipOids: [tip], knownOids: [] }));
    expect(found).toMatchObject({ code: "invalid", problem: "too_deep" });
    await quarantine.discard();
  });
});
