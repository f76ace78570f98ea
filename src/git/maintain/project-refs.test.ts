import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import type { ProjectedRef } from "../send/packed-refs.ts";
import { sortRefs } from "../send/ref-slices.ts";
import type { GitStore } from "../stores.ts";
import { projectRefs } from "./project-refs.ts";

let kit: TestStores;
let client: ClientRepository;
let first: string;
let tip: string;
let tag: string;
beforeAll(async () => {
  kit = await openTestStores();
  client = createClient();
  first = client.commit({ a: "1" });
  tip = client.commit({ a: "2" });
  client.git("tag", "-a", "-m", "x", "v1");
  tag = client.git("rev-parse", "v1");
});
afterAll(async () => {
  client.remove();
  await kit.close();
});

const plain = (name: string, oid: string): ProjectedRef => ({ name, oid, peeledOid: "" });

/** Runs stock git in the store. */
function gitIn(store: GitStore, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: store.path,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...kit.stores.shared.home.environment },
  }).trim();
}

async function filled(): Promise<GitStore> {
  const store = kit.fresh();
  await importObjects(store, client, [tip, tag]);
  return store;
}

describe("projected refs on disk", () => {
  test("equal the refs passed, in git's order", async () => {
    const store = await filled();
    const refs = [
      plain("refs/tags/light", first),
      { name: "refs/tags/v1", oid: tag, peeledOid: tip },
      plain("refs/heads/\uff5e", first),
      plain("refs/heads/\u{1f600}", tip),
    ];
    refs.push(plain("refs/heads/main", tip), plain("refs/heads/main-2", first), plain("refs/heads/a/b", first));
    await projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs(refs) });
    expect(
      gitIn(store, "for-each-ref", "--format=%(refname) %(objectname) %(*objectname)")
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual([
      `refs/heads/a/b ${first}`,
      `refs/heads/main ${tip}`,
      `refs/heads/main-2 ${first}`,
      `refs/heads/\uff5e ${first}`,
      `refs/heads/\u{1f600} ${tip}`,
      `refs/tags/light ${first}`,
      `refs/tags/v1 ${tag} ${tip}`,
    ]);
    expect(gitIn(store, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
    expect(gitIn(store, "fsck", "--full", "--strict")).toBe("");
    // Git itself finds each of them by binary search in the sorted file.
    for (const { name, oid } of refs) expect(gitIn(store, "rev-parse", name)).toBe(oid);
  });

  test("are not rewritten if unchanged", async () => {
    const store = await filled();
    const projection = { headRef: "refs/heads/main", slices: sortRefs([plain("refs/heads/main", tip)]) };
    await projectRefs(store, projection);
    const inode = () => ["packed-refs", "HEAD"].map((name) => statSync(join(store.path, name)).ino);
    const before = inode();
    await projectRefs(store, projection);
    expect(inode()).toEqual(before);
    await projectRefs(store, { headRef: "refs/heads/next", slices: [] });
    expect(gitIn(store, "for-each-ref")).toBe("");
    expect(gitIn(store, "symbolic-ref", "HEAD")).toBe("refs/heads/next");
  });

  test("override stray loose refs and locks", async () => {
    const store = await filled();
    await mkdir(join(store.path, "refs/heads/deep"), { recursive: true });
    await writeFile(join(store.path, "refs/heads/main"), `${first}\n`);
    await writeFile(join(store.path, "refs/heads/deep/stray"), `${first}\n`);
    for (const lock of ["packed-refs.lock", "HEAD.lock", "refs/heads/main.lock"]) await writeFile(join(store.path, lock), "");
    await projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs([plain("refs/heads/main", tip)]) });
    expect(gitIn(store, "for-each-ref", "--format=%(refname) %(objectname)")).toBe(`refs/heads/main ${tip}`);
    expect(readdirSync(store.path).filter((name) => /lock|tmp/.test(name))).toEqual([]);
    gitIn(store, "pack-refs", "--all");
  });

  test("of a store that does not exist create no directory", async () => {
    const store = kit.fresh();
    await projectRefs(store, { headRef: "refs/heads/trunk", slices: [] });
    expect(existsSync(store.path)).toBe(false);
  });

  test("are read by git immediately, even thousands of them", async () => {
    const store = await filled();
    const refs = Array.from({ length: 5000 }, (_, i) => plain(`refs/tags/t${i}`, i % 2 ? first : tip));
    await projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs(refs) });
    expect(gitIn(store, "rev-list", "--all", "--no-walk", "--count")).toBe("2");
    expect(gitIn(store, "for-each-ref").split("\n")).toHaveLength(5000);
  });

  test("are unchanged if the storage fails", async () => {
    const store = await filled();
    await projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs([plain("refs/heads/main", first)]) });
    // A file cannot be renamed over a directory.
    execFileSync("sh", ["-c", "rm packed-refs && mkdir -p packed-refs/x"], { cwd: store.path });
    await expect(projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs([plain("refs/heads/main", tip)]) })).rejects.toMatchObject({
      code: "unavailable",
    });
    execFileSync("rm", ["-r", "packed-refs"], { cwd: store.path });
    await projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs([plain("refs/heads/main", tip)]) });
    expect(gitIn(store, "rev-parse", "HEAD")).toBe(tip);
  });
});
