import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDiskFiles } from "./disk.ts";
import type { FileStore } from "./files.ts";

let directory: string;
let files: FileStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hearth-files-"));
  files = openDiskFiles(join(directory, "files"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const pathOf = (name: string): string => join(directory, "files", name.slice(0, 2), name);
const none = async (): Promise<ReadonlySet<string>> => new Set();

test("a sweep removes old unused files, including incomplete ones", async () => {
  expect(await files.sweep(Date.now() + 1e9, none)).toBe(0);
  const [used = "", orphan = "", young = ""] = await Promise.all(["used", "orphan", "young"].map((text) => files.put(Buffer.from(text))));
  const half = join(directory, "files", orphan.slice(0, 2), "tmp_half");
  await writeFile(half, "ha");
  for (const path of [pathOf(used), pathOf(orphan), half]) await utimes(path, 1_000, 1_000);
  const requested: string[] = [];
  const removed = await files.sweep(2_000_000, async (names) => {
    requested.push(...names);
    return new Set([used]);
  });
  expect(removed).toBe(2);
  expect(requested.sort()).toEqual([orphan, used].sort());
  expect(await files.get(orphan)).toBeUndefined();
  expect(await files.get(used)).toEqual(Buffer.from("used"));
  expect(await files.get(young)).toEqual(Buffer.from("young"));
  expect(await readdir(join(directory, "files", orphan.slice(0, 2)))).not.toContain("tmp_half");
});

test("a storage failure is reported as unavailable", async () => {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "files"), "in the way");
  await expect(files.put(Buffer.from("x"))).rejects.toMatchObject({ code: "unavailable" });
});
