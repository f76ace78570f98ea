import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestStores, type TestStores } from "../../test/kit/git.ts";
import { sweepStores } from "./maintain/sweep.ts";
import { newBlob } from "./objects/format.ts";
import { readBlob } from "./objects/objects.ts";
import { writeObjects } from "./objects/write.ts";
import { createQuarantine } from "./receive/pack.ts";
import { runGit } from "./run/runner.ts";
import { isPresent, materialize, openGitStores, quotedPath, storePath } from "./stores.ts";

let kit: TestStores;
beforeAll(async () => {
  kit = await openTestStores();
});
afterAll(() => kit.close());

describe("a store", () => {
  test("has a directory derived from its id alone", () => {
    expect([1, 255, 256, 1_000_000].map((id) => storePath("/root", id))).toEqual([
      "/root/01/1.git",
      "/root/ff/255.git",
      "/root/00/256.git",
      "/root/40/1000000.git",
    ]);
    for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53]) expect(() => storePath("/root", id)).toThrow(TypeError);
  });

  test.each(["sha1", "sha256"] as const)("of %s is created once as a valid repository, even concurrently", async (format) => {
    const store = kit.fresh(format);
    expect(await isPresent(store)).toBe(false);
    const before = kit.stores.counters.processes;
    await Promise.all(Array.from({ length: 8 }, () => materialize(store)));
    expect(kit.stores.counters.processes).toBe(before);
    expect(await isPresent(store)).toBe(true);
    expect(readdirSync(dirname(store.path)).filter((name) => name.startsWith("tmp_"))).toEqual([]);
    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: store.path,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...kit.stores.shared.home.environment },
      }).trim();
    expect([git("rev-parse", "--is-bare-repository"), git("rev-parse", "--show-object-format"), git("fsck", "--strict")]).toEqual(["true", format, ""]);
    expect(git("hash-object", "-w", "--stdin")).toHaveLength(format === "sha1" ? 40 : 64);
  });

  test.each(["sha1", "sha256"] as const)("of %s gets its files again after a power cut lost them", async (format) => {
    const store = kit.fresh(format);
    const blob = newBlob(format, Buffer.from("kept"));
    await writeObjects(store, [blob]);
    for (const name of ["HEAD", "config"]) await writeFile(join(store.path, name), "");
    const restarted = await openGitStores({ root: kit.stores.root, log: kit.stores.shared.log, searchPath: process.env.PATH ?? "" });
    try {
      const { stdout } = await runGit(restarted.store(store.id, format), { name: "cat-file", words: ["blob"], revisions: [blob.oid] });
      expect(stdout.toString()).toBe("kept");
    } finally {
      await restarted.close();
    }
  });

  test("that is removed loses its worker, and reads as empty", async () => {
    const store = kit.fresh();
    const blob = newBlob("sha1", Buffer.from("x"));
    await writeObjects(store, [blob]);
    const uncached = { ...store, shared: { ...store.shared, cache: { get: () => undefined, set() {}, sizeBytes: 0 } } };
    expect(await readBlob(uncached, blob.oid, 10)).toBeDefined();
    await kit.stores.remove(store.id);
    expect(existsSync(store.path)).toBe(false);
    expect(readdirSync(dirname(store.path))).toEqual([]);
    expect(await readBlob(uncached, blob.oid, 10)).toBeUndefined();
    await kit.stores.remove(store.id);
  });

  test("in a path with a colon and quotes shares its objects with a quarantine", async () => {
    const odd = await openTestStores({ root: join(kit.directory, 'a:b"c\\d') });
    try {
      const store = odd.fresh();
      const blob = newBlob("sha1", Buffer.from("lent"));
      await writeObjects(store, [blob]);
      const quarantine = await createQuarantine(store);
      const { stdout } = await runGit(quarantine.store, { name: "cat-file", words: ["blob"], revisions: [blob.oid] });
      expect(stdout.toString()).toBe("lent");
      await quarantine.discard();
      expect(quotedPath('a:"\\')).toBe('"a:\\"\\\\"');
    } finally {
      await odd.close();
    }
  });
});

test("opening stores fails if the root is not writable", async () => {
  const file = join(kit.directory, "file");
  await writeFile(file, "");
  await expect(openGitStores({ root: join(file, "stores"), log: kit.stores.shared.log, searchPath: "" })).rejects.toMatchObject({ code: "unavailable" });
});

describe("the sweep", () => {
  const long = new Date(Date.now() - 3_600_000);

  test("removes what killed processes left, but not recent files", async () => {
    const swept = await openTestStores();
    try {
      const store = swept.fresh();
      const blob = newBlob("sha1", Buffer.from("kept"));
      await writeObjects(store, [blob]);
      const old = [
        "HEAD.lock",
        "packed-refs.lock",
        "config.lock",
        "refs/main.lock",
        "objects/info/commit-graph.lock",
        "objects/pack/tmp_pack_x",
        "objects/pack/.tmp-12-pack-x",
        "objects/pack/multi-pack-index.lock",
      ];
      for (const name of old) await writeFile(join(store.path, name), "");
      await mkdir(join(store.path, "objects/tmp_objdir-incoming-x/pack"), { recursive: true });
      await mkdir(join(dirname(store.path), "tmp_9.git-x/objects"), { recursive: true });
      const paths = [...old, "objects/tmp_objdir-incoming-x", "../tmp_9.git-x"].map((name) => join(store.path, name));
      for (const path of paths) await utimes(path, long, long);
      await writeFile(join(store.path, "objects/pack/tmp_pack_young"), "");
      const quarantine = await createQuarantine(store);
      await quarantine.open();
      expect(await sweepStores(swept.stores, Date.now() - 60_000)).toEqual({ stores: 1, removed: paths.length, failed: 0 });
      expect(paths.filter((path) => existsSync(path))).toEqual([]);
      expect([join(store.path, "objects/pack/tmp_pack_young"), quarantine.store.objectsPath].every((path) => existsSync(path))).toBe(true);
      await quarantine.discard();
      const { stdout } = await runGit(store, { name: "cat-file", words: ["blob"], revisions: [blob.oid] });
      expect(stdout.toString()).toBe("kept");
      expect(await sweepStores(swept.stores, Date.now() - 60_000)).toEqual({ stores: 1, removed: 0, failed: 0 });
    } finally {
      await swept.close();
    }
  });

  test("continues after a store that it cannot read", async () => {
    const swept = await openTestStores();
    try {
      const [one, two] = [swept.fresh(), swept.fresh()];
      await materialize(one);
      await materialize(two);
      execFileSync("sh", ["-c", "rm -r refs && ln -s refs refs"], { cwd: one.path });
      await writeFile(join(two.path, "HEAD.lock"), "");
      expect(await sweepStores(swept.stores, Date.now() + 60_000)).toEqual({ stores: 1, removed: 1, failed: 1 });
    } finally {
      await swept.close();
    }
  });
});
