import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, importObjects, openTestStores, showRefs, type TestStores } from "../../../test/kit/git.ts";
import { silentLog } from "../../../test/kit/logs.ts";
import { openSnapshotDirectories, snapshotDigest } from "./ref-snapshots.ts";

let root: string;
let kit: TestStores;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "hearth-snapshots-"));
  kit = await openTestStores();
});
afterAll(async () => {
  await kit.close();
  await rm(root, { recursive: true, force: true });
});

const content = { headRef: "refs/heads/main", packedRefs: [Buffer.from("# pack-refs with: peeled fully-peeled sorted \n")] };

test("git reads refs in a snapshot and objects in the store, in both formats", async () => {
  for (const format of ["sha1", "sha256"] as const) {
    const client = createClient(format);
    const tip = client.commit({ a: "a" });
    const store = kit.fresh(format);
    await importObjects(store, client, [tip]);
    const shown = await showRefs(store, { "refs/heads/main": tip, "refs/tags/v1": tip });
    const env = { ...kit.stores.shared.home.environment, ...(await shown.environment()) };
    const git = (...args: string[]): string => execFileSync("git", args, { env, encoding: "utf8" }).trim();
    expect(git("for-each-ref", "--format=%(refname) %(objectname)")).toBe(`refs/heads/main ${tip}\nrefs/tags/v1 ${tip}`);
    expect(git("rev-parse", "HEAD", "v1")).toBe(`${tip}\n${tip}`);
    const blind = { ...kit.stores.shared.home.environment, ...(await store.environment()) };
    expect(execFileSync("git", ["for-each-ref"], { env: blind, encoding: "utf8" })).toBe("");
    expect(execFileSync("git", ["cat-file", "-t", tip], { env: blind, encoding: "utf8" })).toBe("commit\n");
    client.remove();
  }
});

test("the digest differs if any input of git differs", () => {
  const digests = [
    snapshotDigest("sha1", content),
    snapshotDigest("sha256", content),
    snapshotDigest("sha1", { ...content, headRef: "refs/heads/other" }),
    snapshotDigest("sha1", { ...content, packedRefs: [...content.packedRefs, Buffer.from(`${"1".repeat(40)} refs/heads/main\n`)] }),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  expect(snapshotDigest("sha1", { ...content })).toBe(digests[0]);
});

test("a start removes the snapshots of killed processes: those for fetches immediately, those for maintenance after a day", async () => {
  const directories = await openSnapshotDirectories(root, silentLog);
  const live = await directories.make("sha1", "fetch", content);
  const [host = "", pid = "", origin = ""] = basename(dirname(live)).split("-");
  const leave = (owner: string, entry: string, ageDays = 0): string => {
    const path = join(root, owner, entry);
    mkdirSync(path, { recursive: true });
    const then = new Date(Date.now() - ageDays * 86_400_000);
    for (const one of [path, dirname(path)]) utimesSync(one, then, then);
    return path;
  };
  const { pid: ended } = { pid: Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" })) };
  const removed = [
    leave(`${host}-${ended}-1-aaaa`, "fetch-1"),
    leave(`${host}-${ended}-1-aaaa`, "upkeep-9", 2),
    // An earlier process with the same process id.
    leave(`${host}-${pid}-${Number(origin) - 1}-bbbb`, "fetch-1"),
    leave("00000000-1-1-cccc", "fetch-1", 2),
  ];
  const kept = [
    live,
    leave(`${host}-${ended}-1-aaaa`, "upkeep-2"),
    leave(`${host}-${process.ppid}-1-dddd`, "fetch-1"),
    leave("00000000-1-1-eeee", "fetch-1"),
    leave("00000000-1-1-eeee", "upkeep-1"),
  ];
  const next = await openSnapshotDirectories(root, silentLog);
  expect(removed.filter((path) => existsSync(path))).toEqual([]);
  expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  expect(existsSync(join(root, `${host}-${pid}-${Number(origin) - 1}-bbbb`))).toBe(false);

  const other = await next.make("sha1", "upkeep", content);
  expect(dirname(other)).not.toBe(dirname(live));
  await next.remove(other);
  expect(readdirSync(dirname(other))).toEqual([]);
  await next.close();
  await directories.close();
  expect([live, dirname(other)].filter((path) => existsSync(path))).toEqual([]);
});
