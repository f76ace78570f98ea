import { renameSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyTree } from "./copy-tree.ts";

let folder: string;
let source: string;
let target: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "copy-tree-"));
  source = join(folder, "source");
  target = join(folder, "target");
  await mkdir(join(source, "objects/pack"), { recursive: true });
  await mkdir(join(source, "objects/0a"));
  await writeFile(join(source, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(source, "objects/0a/loose"), "loose");
  await writeFile(join(source, "objects/pack/old.pack"), "old");
});
afterEach(() => rm(folder, { recursive: true }));

test("copies files and folders, but no symbolic links", async () => {
  await symlink("/etc/hostname", join(source, "link"));
  expect(await copyTree(source, target)).toEqual({ files: 3, bytes: 29, linked: 0, linkedBytes: 0, vanished: 0 });
  expect((await readdir(target, { recursive: true })).sort()).toEqual([
    "HEAD",
    "objects",
    "objects/0a",
    "objects/0a/loose",
    "objects/pack",
    "objects/pack/old.pack",
  ]);
});

test("visits the folder of packs after the loose objects that packs replace", async () => {
  const visited: string[] = [];
  await copyTree(source, target, { skips: (path) => visited.push(path) === 0 });
  expect(visited.indexOf("objects/0a/loose")).toBeLessThan(visited.indexOf("objects/pack/old.pack"));
});

test("counts a file that is deleted meanwhile, and a second round adds its replacement", async () => {
  const first = await copyTree(source, target, {
    skips(path) {
      if (path === "objects/pack/old.pack") renameSync(join(source, path), join(source, "objects/pack/new.pack"));
      return false;
    },
  });
  expect(first).toMatchObject({ files: 2, vanished: 1 });
  expect(await copyTree(source, target, { skipsExisting: () => true })).toMatchObject({ files: 3, vanished: 0 });
  expect(await readdir(join(target, "objects/pack"))).toEqual(["new.pack"]);
});

test("copies a file again whose size has changed", async () => {
  await copyTree(source, target);
  await writeFile(join(source, "HEAD"), "ref: refs/heads/other\n");
  await copyTree(source, target, { skipsExisting: () => true });
  expect(await readFile(join(target, "HEAD"), "utf8")).toBe("ref: refs/heads/other\n");
});

test("links files that never change to an earlier copy, and copies new files and those of another size", async () => {
  await copyTree(source, target);
  await writeFile(join(source, "objects/pack/new.pack"), "new");
  await writeFile(join(source, "objects/0a/loose"), "another size");
  await writeFile(join(source, "HEAD"), "ref: refs/heads/trunk");
  const second = join(folder, "second");
  const base = { folder: target, isFixed: (path: string) => path.startsWith("objects/") };
  expect(await copyTree(source, second, { base })).toEqual({ files: 3, bytes: 36, linked: 1, linkedBytes: 3, vanished: 0 });
  const inode = async (path: string): Promise<number> => (await stat(path)).ino;
  expect(await inode(join(second, "objects/pack/old.pack"))).toBe(await inode(join(target, "objects/pack/old.pack")));
  expect(await readFile(join(second, "objects/0a/loose"), "utf8")).toBe("another size");
  expect(await readFile(join(target, "objects/0a/loose"), "utf8")).toBe("loose");
  expect(await copyTree(source, second, { base, skipsExisting: () => true })).toMatchObject({ linked: 1, vanished: 0 });
});

test("a missing folder counts as empty", async () => {
  expect(await copyTree(join(folder, "missing"), target)).toEqual({ files: 0, bytes: 0, linked: 0, linkedBytes: 0, vanished: 0 });
});
