import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notFound } from "../../core/errors.ts";
import { createDurableDirectories, onStorage, replaceFile, storageError } from "./durable-fs.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "hearth-durable-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("a file system error", () => {
  const fromSystem = (code: string, errno: number): Error => Object.assign(new Error(code), { code, errno, syscall: "write" });

  test.each([
    ["ENOSPC", -28, "the storage is full"],
    ["Unknown system error -122", -122, "the storage is full"],
    ["EROFS", -30, "the storage is read-only"],
    ["EACCES", -13, "the storage cannot be written"],
    ["EIO", -5, "the storage failed"],
    ["EMFILE", -24, "the server has too many open files"],
    ["ELOOP", -40, "the storage failed"],
  ])("%s (%i) is %s", (code, errno, message) => {
    expect(storageError(fromSystem(code, errno))).toMatchObject({ code: "unavailable", message, options: { retryAfter: 30 } });
  });

  test("is converted, but bugs and ForgeErrors are returned unchanged", async () => {
    const defect = new TypeError("x is undefined");
    const ours = notFound();
    for (const error of [defect, ours]) await expect(onStorage(() => Promise.reject(error))).rejects.toBe(error);
  });
});

test("a directory is created with its parents, again after its deletion, but not in place of a file", async () => {
  const directories = createDurableDirectories(directory);
  await Promise.all([directories.ensure(join(directory, "a/b/c")), directories.ensure(join(directory, "a/b/d"))]);
  expect((await readdir(join(directory, "a/b"))).sort()).toEqual(["c", "d"]);
  await rm(join(directory, "a/b"), { recursive: true });
  await directories.ensure(join(directory, "a/b"));
  await writeFile(join(directory, "file"), "");
  await expect(directories.ensure(join(directory, "file/x/y"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("a file is replaced as a whole, and a failed replacement leaves no temporary file", async () => {
  const path = join(directory, "replaced");
  await replaceFile(path, "one");
  await Promise.all([replaceFile(path, "two"), replaceFile(path, "two")]);
  expect(await readFile(path, "utf8")).toBe("two");
  await expect(replaceFile(join(directory, "a/b"), "x")).rejects.toMatchObject({ code: "EISDIR" });
  expect((await readdir(directory)).concat(await readdir(join(directory, "a"))).filter((name) => name.startsWith("tmp_"))).toEqual([]);
});
