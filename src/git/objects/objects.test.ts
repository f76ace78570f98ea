import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addLoose, type ClientRepository, collect, createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { projectRefs } from "../maintain/project-refs.ts";
import { createQuarantine } from "../receive/pack.ts";
import { sortRefs } from "../send/ref-slices.ts";
import { type GitStore, quarantineOf } from "../stores.ts";
import { newBlob, newCommit, newTag, newTree } from "./format.ts";
import { emptyTreeOid } from "./hash.ts";
import {
  findEntry,
  peel,
  peelToCommit,
  readBlob,
  readCommit,
  readCommits,
  readInfo,
  readObject,
  readTag,
  readTree,
  resolvePrefix,
  streamBlob,
} from "./objects.ts";
import { writeObjects } from "./write.ts";

const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offsetMinutes: 60 };
const nowhere = "1".repeat(40);

describe.each(["sha1", "sha256"] as const)("objects of a %s store", (format) => {
  let kit: TestStores;
  let client: ClientRepository;
  let store: GitStore;
  let tip: string;
  let tag: string;

  beforeAll(async () => {
    kit = await openTestStores();
    client = createClient(format);
    client.commit({ "README.md": "# Hello\n", "src/a.ts": "a\n", "src/deep/b.ts": "b\n" }, { message: "first\n" });
    tip = client.commit({ "src/a.ts": "aa\n" }, { message: "second\n\nbody\n" });
    client.git("tag", "-a", "-m", "a release", "v1");
    tag = client.git("rev-parse", "v1");
    store = kit.fresh(format);
    await importObjects(store, client, [tag, tip]);
  });
  afterAll(async () => {
    client.remove();
    await kit.close();
  });

  test("are read as git shows them", async () => {
    const commit = await readCommit(store, tip);
    expect(commit).toMatchObject({
      oid: tip,
      treeOid: client.git("rev-parse", "HEAD^{tree}"),
      parentOids: [client.git("rev-parse", "HEAD^")],
      author: { name: "Ann Author", email: "ann@example.com", offsetMinutes: 60 },
      message: "second\n\nbody\n",
      signature: "",
    });
    expect(await readTag(store, tag)).toMatchObject({
      targetOid: tip,
      targetType: "commit",
      name: "v1",
      message: "a release\n",
      tagger: { name: "Carl Committer" },
    });
    const tree = await readTree(store, commit?.treeOid ?? "");
    expect(tree?.map(({ mode, oid, name }) => `${mode} ${mode === "040000" ? "tree" : "blob"} ${oid}\t${name}`).join("\n")).toBe(client.git("ls-tree", "HEAD"));
    const entry = await findEntry(store, commit?.treeOid ?? "", "src/deep/b.ts");
    expect((await readBlob(store, entry?.oid ?? "", 100))?.data?.toString()).toBe("b\n");
    expect(await readInfo(store, entry?.oid ?? "")).toEqual({ oid: entry?.oid, type: "blob", sizeBytes: 2 });
  });

  test("are undefined if they are missing or of another type", async () => {
    const missing = format === "sha1" ? nowhere : "1".repeat(64);
    expect(
      await Promise.all([readCommit(store, missing), readTree(store, tip), readCommit(store, tag), readTag(store, tip), readBlob(store, tip, 10)]),
    ).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(await readCommits(store, [tip, missing])).toMatchObject([{ oid: tip }, undefined]);
    // An abbreviated id, a name, and an id of the other format are not ids here.
    expect(
      await Promise.all([tip.slice(0, 10), "main", `${tip.slice(0, -1)}g`, "", "2".repeat(format === "sha1" ? 64 : 40)].map((oid) => readInfo(store, oid))),
    ).toEqual(Array(5).fill(undefined));
    expect(
      await Promise.all(
        ["nowhere", "README.md/x", "src/", "/src", "src//a.ts", "."].map(async (path) => findEntry(store, (await readCommit(store, tip))?.treeOid ?? "", path)),
      ),
    ).toEqual(Array(6).fill(undefined));
  });

  test("are peeled through nested tags", async () => {
    const outer = newTag(format, { targetOid: tag, targetType: "tag", name: "outer", tagger: person, message: "" });
    const blob = newBlob(format, Buffer.from("tagged"));
    const ofBlob = newTag(format, { targetOid: blob.oid, targetType: "blob", name: "blob", tagger: person, message: "" });
    await writeObjects(store, [outer, blob, ofBlob]);
    expect((await peel(store, outer.oid))?.oid).toBe(tip);
    expect((await peelToCommit(store, outer.oid))?.oid).toBe(tip);
    expect((await peel(store, ofBlob.oid))?.type).toBe("blob");
    expect(await peelToCommit(store, ofBlob.oid)).toBeUndefined();
    const dangling = newTag(format, { targetOid: "3".repeat(tip.length), targetType: "commit", name: "x", tagger: person, message: "" });
    await writeObjects(store, [dangling]);
    expect(await peel(store, dangling.oid)).toBeUndefined();
  });

  test("are found by seven digits, even if a branch has this name", async () => {
    const short = tip.slice(0, 7);
    expect(await resolvePrefix(store, short)).toMatchObject({ oid: tip, type: "commit" });
    expect(await resolvePrefix(store, tip.slice(0, 12).toUpperCase(), "commit")).toMatchObject({ oid: tip });
    expect(await resolvePrefix(store, tag.slice(0, 9), "commit")).toMatchObject({ oid: tip });
    expect(await resolvePrefix(store, short, "blob")).toBeUndefined();
    expect(await Promise.all([tip.slice(0, 6), "", "HEAD", `${short}^`, `${tip}0`, "0000000"].map((prefix) => resolvePrefix(store, prefix)))).toEqual(
      Array(6).fill(undefined),
    );
    // Git itself would prefer the branch.
    const parent = client.git("rev-parse", "HEAD^");
    await projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs([{ name: `refs/heads/${short}`, oid: parent, peeledOid: "" }]) });
    expect(execFileSync("git", ["rev-parse", short], { cwd: store.path, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()).toBe(parent);
    expect(await resolvePrefix(store, short)).toMatchObject({ oid: tip });
  });

  test("with an ambiguous prefix are not found", async () => {
    // Two blobs whose ids share the first seven digits, found by search.
    const pairs = { sha1: ["blob 5820", "blob 16713"], sha256: ["blob 13348", "blob 21735"] } as const;
    const [one, two] = pairs[format].map((text) => newBlob(format, Buffer.from(text)));
    if (one?.oid.slice(0, 7) !== two?.oid.slice(0, 7) || one === undefined || two === undefined) throw new Error("no pair");
    await writeObjects(store, [one]);
    expect((await resolvePrefix(store, one.oid.slice(0, 7)))?.oid).toBe(one.oid);
    await writeObjects(store, [two]);
    // A running worker may not see the new objects.
    await kit.stores.shared.pool.closeStore(store.key);
    expect(await resolvePrefix(store, one.oid.slice(0, 7))).toBeUndefined();
    expect((await resolvePrefix(store, two.oid.slice(0, 30)))?.oid).toBe(two.oid);
  });
});

describe("reading", () => {
  let kit: TestStores;
  beforeAll(async () => {
    kit = await openTestStores();
  });
  afterAll(() => kit.close());

  const bare = (store: GitStore): GitStore => ({ ...store, shared: { ...store.shared, cache: { get: () => undefined, set() {}, sizeBytes: 0 } } });

  test("starts no process for an empty store, and one for a thousand objects", async () => {
    const store = kit.fresh();
    const before = kit.stores.counters.processes;
    expect(await readInfo(store, nowhere)).toBeUndefined();
    expect(await readTree(store, emptyTreeOid("sha1"))).toEqual([]);
    expect(kit.stores.counters.processes).toBe(before);
    const blobs = Array.from({ length: 1000 }, (_, i) => newBlob("sha1", Buffer.from(`${i}\n`.repeat(i))));
    await writeObjects(store, blobs);
    const read = await Promise.all(blobs.map(({ oid }) => readBlob(bare(store), oid, 1 << 20)));
    expect(read.map((blob) => blob?.data)).toEqual(blobs.map(({ data }) => data));
    expect(kit.stores.counters.processes - before).toBeLessThanOrEqual(2);
  });

  test("respects the size limit", async () => {
    const store = kit.fresh();
    const small = newBlob("sha1", Buffer.alloc(100_000, "s"));
    const large = newBlob("sha1", Buffer.alloc(5_000_000, "l"));
    await writeObjects(store, [small, large]);
    const uncached = bare(store);
    // Requests around the rejected ones must still be answered.
    const reads = await Promise.all([
      readBlob(uncached, small.oid, 100_000),
      readBlob(uncached, small.oid, 99_999),
      readBlob(uncached, large.oid, 4_999_999),
      readBlob(uncached, small.oid, 100_000),
      readBlob(uncached, large.oid, 5_000_000),
    ]);
    expect(reads.map((read) => [read?.sizeBytes, read?.data?.length])).toEqual([
      [100_000, 100_000],
      [100_000, undefined],
      [5_000_000, undefined],
      [100_000, 100_000],
      [5_000_000, 5_000_000],
    ]);
    await expect(readObject(uncached, large.oid, 1000)).rejects.toMatchObject({ code: "refused", options: { meta: { sizeBytes: 5_000_000 } } });
  });

  test("streams a blob of any size completely", async () => {
    const store = kit.fresh();
    const data = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251));
    const blob = newBlob("sha1", data);
    const small = newBlob("sha1", Buffer.from("small"));
    const empty = newBlob("sha1", Buffer.alloc(0));
    await writeObjects(store, [blob, small, empty]);
    for (const object of [blob, small, empty]) {
      const streamed = await streamBlob(bare(store), object.oid);
      expect(streamed?.sizeBytes).toBe(object.data.length);
      expect((await collect(streamed?.stream ?? Readable.from([]))).equals(object.data)).toBe(true);
    }
    expect(await streamBlob(store, nowhere)).toBeUndefined();
  });

  test("never returns objects of another store or of a quarantine", async () => {
    const [one, other] = [kit.fresh(), kit.fresh()];
    const blob = newBlob("sha1", Buffer.from("private"));
    await writeObjects(one, [blob]);
    await writeObjects(other, [newBlob("sha1", Buffer.from("public"))]);
    expect(await readBlob(one, blob.oid, 100)).toBeDefined();
    expect([await readBlob(other, blob.oid, 100), await readInfo(other, blob.oid), await resolvePrefix(other, blob.oid.slice(0, 8))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);

    const quarantine = await createQuarantine(one);
    await quarantine.open();
    const held = newBlob("sha1", Buffer.from("held"));
    await writeObjects(quarantine.store, [held]);
    expect((await readBlob(quarantine.store, held.oid, 100))?.data?.toString()).toBe("held");
    expect((await readBlob(bare(quarantine.store), held.oid, 100))?.data?.toString()).toBe("held");
    expect((await readBlob(bare(quarantine.store), blob.oid, 100))?.data?.toString()).toBe("private");
    expect(await readBlob(one, held.oid, 100)).toBeUndefined();
    await quarantine.discard();
    expect(await readBlob(one, held.oid, 100)).toBeUndefined();
  });

  test("sees objects written after the worker started", async () => {
    const store = kit.fresh();
    for (let i = 0; i < 5; i++) {
      const blobs = [newBlob("sha1", Buffer.from(`one ${i}`)), newBlob("sha1", Buffer.from(`two ${i}`))];
      expect(await readBlob(bare(store), blobs[0]?.oid ?? "", 100)).toBeUndefined();
      await writeObjects(store, blobs.slice(0, 1 + (i % 2)));
      expect((await readBlob(bare(store), blobs[0]?.oid ?? "", 100))?.data?.toString()).toBe(`one ${i}`);
    }
  });

  test("fails for a damaged object, but not for the next ones", async () => {
    const store = kit.fresh();
    const good = newBlob("sha1", Buffer.from("good"));
    await writeObjects(store, [good]);
    const bad = addLoose(store, "bad");
    const path = `${store.objectsPath}/${bad.slice(0, 2)}/${bad.slice(2)}`;
    execFileSync("chmod", ["u+w", path]);
    const bytes = await readFile(path);
    execFileSync("tee", [path], { input: bytes.subarray(0, bytes.length - 8), stdio: ["pipe", "ignore", "inherit"] });
    const results = await Promise.allSettled([good.oid, bad, good.oid, bad, good.oid].map((oid) => readBlob(bare(store), oid, 100)));
    expect(results.map((result) => (result.status === "fulfilled" ? result.value?.data?.toString() : result.reason.code))).toEqual([
      "good",
      "unavailable",
      "good",
      "unavailable",
      "good",
    ]);
  });

  test("uses a separate cache key for a quarantine", () => {
    const store = kit.fresh();
    expect(quarantineOf(store, `${store.objectsPath}/tmp_objdir-incoming-x`).key).toBe(`${store.key}/tmp_objdir-incoming-x`);
  });

  test("takes a new commit from the cache", async () => {
    const store = kit.fresh();
    const tree = newTree("sha1", []);
    const commit = newCommit("sha1", { treeOid: tree.oid, parentOids: [], author: person, committer: person, message: "x" });
    await writeObjects(store, [tree, commit]);
    const before = kit.stores.counters.processes;
    expect((await readCommit(store, commit.oid))?.message).toBe("x\n");
    expect(kit.stores.counters.processes).toBe(before);
    expect(await readCommit(bare(store), commit.oid)).toEqual(await readCommit(store, commit.oid));
  });
});
