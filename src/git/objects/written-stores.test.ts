import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLog } from "../../../test/kit/logs.ts";
import { sweepLeft } from "../maintain/sweep.ts";
import { type GitStores, openGitStores } from "../stores.ts";
import { newBlob } from "./format.ts";
import { writeObjects } from "./write.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "hearth-written-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (): Promise<GitStores> => openGitStores({ root, log: silentLog, searchPath: process.env.PATH ?? "" });
const writeTo = (stores: GitStores, id: number, text = "x") => writeObjects(stores.store(id, "sha1"), [newBlob("sha1", Buffer.from(text))]);
const noted = () => readdir(join(root, "home", "written"));

/** Writes to stores in a process that then kills itself. */
function writeAndDie(ids: readonly number[]): void {
  const at = (path: string): string => JSON.stringify(join(import.meta.dirname, path));
  const script = `const { openGitStores } = await import(${at("../stores.ts")});
    const { writeObjects } = await import(${at("write.ts")});
    const { newBlob } = await import(${at("format.ts")});
    const stores = await openGitStores({ root: ${JSON.stringify(root)}, log: console, searchPath: "" });
    for (const id of ${JSON.stringify(ids)}) for (const text of ["one", "two"]) await writeObjects(stores.store(id, "sha1"), [newBlob("sha1", Buffer.from(text))]);
    process.kill(process.pid, "SIGKILL");`;
  const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
}

test("the first write to a store in an hour is noted, and nothing remains after an orderly end", async () => {
  const stores = await open();
  expect(await noted()).toEqual([]);
  for (const id of [1, 2, 1, 2]) await writeTo(stores, id);
  expect(await noted()).toHaveLength(1);
  await stores.close();
  expect(await noted()).toEqual([]);
});

test("the start after a kill sweeps the stores that the killed process has written to, and reads no others", async () => {
  const before = await open();
  for (let id = 1; id <= 40; id += 1) await writeTo(before, id);
  await before.close();
  writeAndDie([3, 300]);
  const stores = await open();
  expect([...stores.shared.written.left].sort((a, b) => a - b)).toEqual([3, 300]);
  const quarantine = join(stores.store(3, "sha1").path, "objects/tmp_objdir-incoming-x");
  await mkdir(quarantine);
  await utimes(quarantine, 1, 1);
  // A sweep fails in each of the others, if it reads them.
  for (let id = 1; id <= 40; id += 1) {
    if (id === 3) continue;
    const refs = join(stores.store(id, "sha1").path, "refs");
    await rm(refs, { recursive: true });
    await symlink("refs", refs);
  }
  expect(await sweepLeft(stores, Date.now())).toEqual({ stores: 2, removed: 1, failed: 0 });
  expect(existsSync(quarantine)).toBe(false);
  expect(await noted()).toEqual([]);
  expect(await sweepLeft(stores, Date.now())).toEqual({ stores: 0, removed: 0, failed: 0 });
  await stores.close();
});

test("the stores of a process that still runs are left to it", async () => {
  const first = await open();
  await writeTo(first, 1);
  const second = await open();
  expect([...second.shared.written.left]).toEqual([]);
  await second.close();
  expect(await noted()).toHaveLength(1);
  await first.close();
});

test("a file with other content than ids is ignored", async () => {
  await mkdir(join(root, "home", "written"), { recursive: true });
  await writeFile(join(root, "home", "written", "readme"), "7\n");
  writeAndDie([5]);
  const [name = ""] = (await noted()).filter((entry) => entry !== "readme");
  await writeFile(join(root, "home", "written", name), "5\n../6\n-1\n\n");
  const stores = await open();
  expect([...stores.shared.written.left]).toEqual([5]);
  await stores.close();
});
