import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openTestStores, showRefs, type TestStores } from "../../../test/kit/git.ts";
import { projectRefs } from "../maintain/project-refs.ts";
import { runGit } from "../run/runner.ts";
import { sortRefs } from "../send/ref-slices.ts";
import type { GitStore } from "../stores.ts";
import type { GitObject, ObjectFormat } from "../types.ts";
import { newBlob, newCommit, newTree } from "./format.ts";
import { writeFirstObjects, writeObjects } from "./write.ts";

const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offsetMinutes: 0 };

/** A commit with the given number of files, and all objects that it needs. */
function history(format: ObjectFormat, files: number, text = "content"): GitObject[] {
  const blobs = Array.from({ length: files }, (_, i) => newBlob(format, Buffer.from(`${text} ${i}\n`.repeat(i % 50))));
  const tree = newTree(
    format,
    blobs.map(({ oid }, i) => ({ name: `file${i}`, mode: "100644", oid })),
  );
  const commit = newCommit(format, { treeOid: tree.oid, parentOids: [], author: person, committer: person, message: text });
  return [...blobs, tree, commit];
}

async function isWhole(store: GitStore, tip: string): Promise<boolean> {
  const walked = await runGit(store, { name: "rev-list", flags: { "--objects": true, "--quiet": true }, revisions: [tip] }, { accept: [0, 128] });
  const checked = await runGit(
    await showRefs(store, {}),
    { name: "fsck", flags: { "--full": true, "--strict": true, "--no-dangling": true } },
    { accept: "any" },
  );
  return walked.code === 0 && checked.code === 0;
}

describe("written objects", () => {
  let kit: TestStores;
  beforeAll(async () => {
    kit = await openTestStores();
  });
  afterAll(() => kit.close());

  test.each([
    ["sha1", 0],
    ["sha1", 3],
    ["sha1", 500],
    ["sha256", 3],
    ["sha256", 500],
  ] as const)("of %s, a commit with %i files, are readable by git", async (format, files) => {
    const store = kit.fresh(format);
    const objects = history(format, files);
    const before = kit.stores.counters.processes;
    const { sizeBytes } = await writeObjects(store, objects);
    expect(kit.stores.counters.processes).toBe(before);
    expect(await isWhole(store, objects.at(-1)?.oid ?? "")).toBe(true);
    const onDisk = execFileSync("sh", ["-c", "find . -type f -printf '%s\\n'"], { cwd: store.objectsPath, encoding: "utf8" });
    expect(
      onDisk
        .trim()
        .split("\n")
        .map(Number)
        .reduce((sum, size) => sum + size),
    ).toBe(sizeBytes);
    expect(execFileSync("find", [store.objectsPath, "-name", "tmp_*"], { encoding: "utf8" })).toBe("");
  });

  test("of all sizes round-trip byte for byte", async () => {
    const store = kit.fresh();
    const sizes = [0, 1, 15, 16, 2047, 2048, 262_143, 262_144, 3_000_000];
    const blobs = sizes.map((size) => newBlob("sha1", Buffer.from(Array.from({ length: size }, (_, i) => (i * 7919) >> 3))));
    await writeObjects(store, blobs);
    await writeObjects(store, blobs.slice(-1));
    for (const blob of blobs) {
      const { stdout } = await runGit(store, { name: "cat-file", words: ["blob"], revisions: [blob.oid] });
      expect(stdout.equals(blob.data)).toBe(true);
    }
  });

  test.each(["sha1", "sha256"] as const)("of %s that create a store include its refs, which need no projection", async (format) => {
    const store = kit.fresh(format);
    const objects = history(format, 3);
    const oid = objects.at(-1)?.oid ?? "";
    const shown = { headRef: "refs/heads/trunk", slices: sortRefs([{ name: "refs/heads/trunk", oid, peeledOid: "" }]) };
    const { sizeBytes, showsRefs } = await writeFirstObjects(store, [...objects, ...objects.slice(0, 2)], shown);
    expect(showsRefs).toBe(true);
    expect(await isWhole(store, oid)).toBe(true);
    const sizes = execFileSync("sh", ["-c", "stat -c %s pack/*"], { cwd: store.objectsPath, encoding: "utf8" }).trim().split("\n");
    expect(sizes.reduce((sum, size) => sum + Number(size), 0)).toBe(sizeBytes);
    const changed = (): number[] => ["HEAD", "packed-refs"].map((name) => statSync(join(store.path, name)).ctimeMs);
    const before = changed();
    await projectRefs(store, shown);
    expect(changed()).toEqual(before);
    expect(execFileSync("git", ["rev-parse", "HEAD"], { cwd: store.path, encoding: "utf8" }).trim()).toBe(oid);
    // In an existing store they are ordinary objects, and its refs are unchanged.
    expect(await writeFirstObjects(store, history(format, 2, "again"), { ...shown, slices: [] })).toEqual({ sizeBytes: expect.any(Number) });
    expect(changed()).toEqual(before);
  });

  test("may be written concurrently and repeatedly", async () => {
    const store = kit.fresh();
    const objects = history("sha1", 5);
    const one = newBlob("sha1", Buffer.from("one"));
    await Promise.all(Array.from({ length: 10 }, (_, i) => writeObjects(store, i % 2 ? [one] : [...objects, ...objects])));
    await writeObjects(store, [one, one]);
    expect(await writeObjects(store, [])).toEqual({ sizeBytes: 0 });
    const packs = readdirSync(join(store.objectsPath, "pack")).filter((name) => name.endsWith(".pack"));
    expect([packs.length, readdirSync(store.objectsPath).sort()]).toEqual([2, ["info", "pack"]]);
    expect(await isWhole(store, objects.at(-1)?.oid ?? "")).toBe(true);
  });

  test("that already existed have their age reset", async () => {
    const store = kit.fresh();
    const one = newBlob("sha1", Buffer.from("old"));
    await writeObjects(store, [one]);
    const [path = ""] = readdirSync(join(store.objectsPath, "pack")).map((name) => join(store.objectsPath, "pack", name));
    await utimes(path, 1, 1);
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    await writeObjects(store, [one]);
    expect(statSync(path).mtimeMs).toBeGreaterThanOrEqual(before);
  });

  test("are rejected as a whole if the storage fails, and accepted after it recovers", async () => {
    const store = kit.fresh();
    const blob = newBlob("sha1", Buffer.from("refused"));
    const objects = history("sha1", 3);
    await writeObjects(store, [newBlob("sha1", Buffer.from("first"))]);
    // A file blocks the directory.
    execFileSync("sh", ["-c", "mv pack pack.away && touch pack"], { cwd: store.objectsPath });
    await expect(writeObjects(store, [blob])).rejects.toMatchObject({ code: "unavailable", options: { retryAfter: 30 } });
    await expect(writeObjects(store, objects)).rejects.toMatchObject({ code: "unavailable" });
    execFileSync("sh", ["-c", "rm pack && mv pack.away pack"], { cwd: store.objectsPath });
    await writeObjects(store, [blob]);
    await writeObjects(store, objects);
    expect(await isWhole(store, objects.at(-1)?.oid ?? "")).toBe(true);
  });
});

type Kind = "single" | "pack" | "first";

const program = join(import.meta.dirname, "../../../test/kit/write-objects.ts");
const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const whyNot = hasStrace ? "" : " (skipped: this machine has no strace)";

/** Runs the same write in a separate process, for fault injection by the operating system. */
describe("a process that writes objects", () => {
  const directories: string[] = [];
  const directory = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), "hearth-write-"));
    directories.push(made);
    return made;
  };
  afterEach(async () => {
    for (const made of directories.splice(0)) await rm(made, { recursive: true, force: true });
  });

  /**
   * strace counts calls per thread, so there is one for the file system. Runs it below `wrapper`; prints the tip once all is durable, else
   * the error's code.
   */
  const run = (root: string, kind: Kind, wrapper: readonly string[] = []): { output: string; signal: string | null } => {
    const [command = "", ...args] = [...wrapper, process.execPath, program, root, kind];
    const { stdout, signal, status } = spawnSync(command, args, { encoding: "utf8", env: { PATH: process.env.PATH, UV_THREADPOOL_SIZE: "1" } });
    return { output: stdout.trim(), signal: signal ?? (status === 137 ? "SIGKILL" : null) };
  };

  const check = async (root: string, tip: string): Promise<void> => {
    const kit = await openTestStores({ root });
    try {
      const store = kit.fresh();
      // A store created with its refs has all of them, or does not exist.
      const packedRefs = join(store.path, "packed-refs");
      if (existsSync(packedRefs)) expect(await isWhole(store, readFileSync(packedRefs, "utf8").split("\n")[1]?.slice(0, 40) ?? "")).toBe(true);
      if (tip !== "") expect(await isWhole(store, tip)).toBe(true);
      // Whatever happened before, the next write succeeds.
      const objects = history("sha1", 4, "afterwards");
      await writeObjects(store, objects);
      expect(await isWhole(store, objects.at(-1)?.oid ?? "")).toBe(true);
    } finally {
      await kit.close();
    }
  };

  test.each(["single", "pack"] as const)("to a full disk (%s) gets an error, and leaves no partial result", async (kind) => {
    const root = await directory();
    expect(run(root, kind).output).toMatch(/^[0-9a-f]{40}$/);
    const full = await directory();
    // The kernel rejects any growth of files, as if the disk were full.
    const { output } = run(full, kind, ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh"]);
    expect(output).toBe("unavailable: the storage is full");
    await check(full, "");
  });

  /** Injects a fault into the first call, the second, and so on, until the process succeeds. Returns the number of faults. */
  const hitEach = async (call: string, kind: Kind, injection: string, after: (output: string, signal: string | null) => void): Promise<number> => {
    for (let nth = 1; ; nth++) {
      const root = await directory();
      // The root exists already, so that only the write is hit.
      await (await openTestStores({ root })).close();
      const { output, signal } = run(root, kind, [
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        `trace=${call}`,
        "-e",
        `inject=${call}:${injection}:when=${nth}`,
      ]);
      const isWritten = /^[0-9a-f]{40}$/.test(output);
      await check(root, isWritten ? output : "");
      if (isWritten && signal === null) return nth - 1;
      after(output, signal);
    }
  };

  test.skipIf(!hasStrace).each([
    ["fsync", "pack", "EIO", "the storage failed", 5],
    ["fsync", "first", "EIO", "the storage failed", 8],
    ["fdatasync", "single", "EIO", "the storage failed", 3],
    ["rename", "pack", "EROFS", "the storage is read-only", 3],
  ] as const)(`gets an error if a single %s (%s) fails with %s${whyNot}`, { timeout: 60_000 }, async (call, kind, error, message, atLeast) => {
    const hit = await hitEach(call, kind, `error=${error}`, (output) => expect(output).toBe(`unavailable: ${message}`));
    expect(hit).toBeGreaterThanOrEqual(atLeast);
  });

  test.skipIf(!hasStrace).each([
    ["rename", "single", 6],
    ["rename", "pack", 3],
    ["rename", "first", 1],
  ] as const)(`that is killed at any %s (%s) leaves the store unchanged or complete${whyNot}`, { timeout: 60_000 }, async (call, kind, atLeast) => {
    const hit = await hitEach(call, kind, "signal=SIGKILL", (_, signal) => expect(signal).toBe("SIGKILL"));
    expect(hit).toBeGreaterThanOrEqual(atLeast);
  });
});
