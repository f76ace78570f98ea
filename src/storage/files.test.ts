import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileStore, openFileStore } from "./files.ts";

let directory: string;
let files: FileStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hearth-files-"));
  files = openFileStore(join(directory, "files"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const pathOf = (name: string): string => join(directory, "files", name.slice(0, 2), name);
const none = async (): Promise<ReadonlySet<string>> => new Set();

test("a file is had by the name that it was given, until it is deleted", async () => {
  const content = Buffer.from("a picture");
  const names = await Promise.all([files.put(content), files.put(content)]);
  expect(new Set(names).size).toBe(2);
  for (const name of names) {
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect(await files.get(name)).toEqual(content);
    expect(await readdir(join(directory, "files", name.slice(0, 2)))).toContain(name);
  }
  await files.delete(names[0]);
  await files.delete(names[0]);
  expect(await files.get(names[0])).toBeUndefined();
  expect(await files.get(names[1])).toEqual(content);
});

test("no other name reaches the disk", async () => {
  for (const name of ["", "..", "../../etc/passwd", "a".repeat(63), `${"a".repeat(63)}/`, "A".repeat(64)]) {
    await expect(files.get(name)).rejects.toThrow("a name that this store has not given");
    await expect(files.delete(name)).rejects.toThrow("a name that this store has not given");
  }
});

const chunks = async function* (...given: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const one of given) {
    if (one instanceof Error) throw one;
    yield Buffer.from(one);
  }
};
const everything = async (): Promise<string[]> => (await readdir(join(directory, "files"), { recursive: true })).filter((path) => path.includes("/"));
const readAll = async (name: string, part?: { start: number; end: number }): Promise<string> =>
  Buffer.concat(await files.read(name, part).toArray()).toString();

test("a file that comes in pieces is kept whole, and had whole or in part", async () => {
  const received = await files.receive(chunks("hel", "lo ", "", "world"), { maxBytes: 11 });
  expect(received).toEqual({ name: expect.stringMatching(/^[0-9a-f]{64}$/), sizeBytes: 11, digest: createHash("sha256").update("hello world").digest("hex") });
  expect(await files.sizeOf(received.name)).toBe(11);
  expect([await readAll(received.name), await readAll(received.name, { start: 4, end: 6 })]).toEqual(["hello world", "o w"]);
  const empty = await files.receive(chunks(), { maxBytes: 1 });
  expect([await files.sizeOf(empty.name), await readAll(empty.name)]).toEqual([0, ""]);
  await files.delete(received.name);
  expect(await files.sizeOf(received.name)).toBeUndefined();
  await expect(readAll(received.name)).rejects.toMatchObject({ code: "ENOENT" });
});

test("of a file that does not come to its end nothing is kept", async () => {
  await expect(files.receive(chunks("hello", "!"), { maxBytes: 5 })).rejects.toMatchObject({ code: "too_large" });
  await expect(files.receive(chunks("hello", new Error("cut")), { maxBytes: 9 })).rejects.toThrow("cut");
  expect(await everything()).toEqual([]);
});

test("a sweep takes what is old and not in use, half-written files included", async () => {
  expect(await files.sweep(Date.now() + 1e9, none)).toBe(0);
  const [used = "", orphan = "", young = ""] = await Promise.all(["used", "orphan", "young"].map((text) => files.put(Buffer.from(text))));
  const half = join(directory, "files", orphan.slice(0, 2), "tmp_half");
  await writeFile(half, "ha");
  for (const path of [pathOf(used), pathOf(orphan), half]) await utimes(path, 1_000, 1_000);
  const asked: string[] = [];
  const removed = await files.sweep(2_000_000, async (names) => {
    asked.push(...names);
    return new Set([used]);
  });
  expect(removed).toBe(2);
  expect(asked.sort()).toEqual([orphan, used].sort());
  expect(await files.get(orphan)).toBeUndefined();
  expect(await files.get(used)).toEqual(Buffer.from("used"));
  expect(await files.get(young)).toEqual(Buffer.from("young"));
  expect(await readdir(join(directory, "files", orphan.slice(0, 2)))).not.toContain("tmp_half");
});

test("a storage that refuses is told as such", async () => {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "files"), "in the way");
  await expect(files.put(Buffer.from("x"))).rejects.toMatchObject({ code: "unavailable" });
});
