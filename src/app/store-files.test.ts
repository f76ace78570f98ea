import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { returnSetAside } from "../git/maintain/set-aside.ts";
import { keptUnusedMs } from "../storage/unused-files.ts";
import { listFolderFiles } from "./backups/files.ts";
import { isFixedInStore, isTemporary, placeInBackup, requireInTime } from "./store-files.ts";

let root: string;
let store: string;
let oid: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-store-files-"));
  store = join(root, "1.git");
  git("init", "-q", "--bare", store);
  oid = git("-C", store, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit-tree", "-m", "old", emptyTree()).trim();
  git("-C", store, "update-ref", "refs/heads/gone", oid);
  git("-C", store, "repack", "-q", "-a", "-d");
  git("-C", store, "update-ref", "-d", "refs/heads/gone");
  // As a collection does after the ref was deleted.
  mkdirSync(join(store, "set-aside", "1", "pack"), { recursive: true });
  git("-C", store, "repack", "-q", "-d", "--cruft", "--cruft-expiration=now", `--expire-to=${join(store, "set-aside", "1", "pack", "pack")}`);
  writeFileSync(join(store, "set-aside", "1", "complete"), "");
  expect(has(store)).toBe(false);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function git(...words: readonly string[]): string {
  return execFileSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], input: "" });
}
function emptyTree(): string {
  return execFileSync("git", ["-C", store, "mktree"], { encoding: "utf8", input: "" }).trim();
}
function has(path: string): boolean {
  try {
    git("-C", path, "cat-file", "-e", oid);
    return true;
  } catch {
    return false;
  }
}

test("a backup by content has the objects that a collection has set aside, so that the refs read before resolve", async () => {
  const copy = join(root, "by-content.git");
  for await (const file of listFolderFiles(store, "", { skips: isTemporary, isFixed: isFixedInStore, placeOf: placeInBackup })) {
    mkdirSync(dirname(join(copy, file.path)), { recursive: true });
    for await (const chunk of file.read()) writeFileSync(join(copy, file.path), chunk, { flag: "a" });
    expect(file.path).not.toMatch(/set-aside|\.mtimes$/);
  }
  mkdirSync(join(copy, "refs"), { recursive: true });
  expect(has(copy)).toBe(true);
  git("-C", copy, "fsck", "--strict");
});

test("a copied folder of a store gets the objects back that a collection has set aside", async () => {
  const copy = join(root, "folder.git");
  cpSync(store, copy, { recursive: true });
  await returnSetAside(copy);
  await returnSetAside(copy);
  expect(has(copy)).toBe(true);
});

test("a backup that takes longer than deleted files are kept is refused with the way to continue", () => {
  requireInTime(1_000, keptUnusedMs - 3_600_000);
  expect(() => requireInTime(0, keptUnusedMs)).toThrow(/took more than 71 hours, .* run the same command again/);
});
