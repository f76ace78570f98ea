import { afterAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { createClient, importObjects } from "../../../../../test/kit/git.ts";
import { openStoreFixture, type StoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { moveStoreRefs } from "./move.ts";
import { type PathRevOptions, type RevKind, resolvePath, resolveRev } from "./resolve.ts";
import { createStore } from "./stores.ts";
import { describeTips } from "./tips.ts";

const client = createClient();
afterAll(() => client.remove());

const first = client.commit({ "a.txt": "one" });
const second = client.commit({ "a.txt": "two" });
const blob = client.git("rev-parse", `${second}:a.txt`);
const tree = client.git("rev-parse", `${second}^{tree}`);
client.git("tag", "-a", "-m", "note", "v1", first);
const tag = client.git("rev-parse", "refs/tags/v1");
client.git("tag", "-a", "-m", "a tag of a tag", "v1-again", "v1");
const tagOfTag = client.git("rev-parse", "refs/tags/v1-again");
client.git("tag", "-a", "-m", "a tree", "tree", tree);
const treeTag = client.git("rev-parse", "refs/tags/tree");
const merge = client.git("commit-tree", "-p", second, "-p", first, "-m", "a merge", tree);
const longTip = Array.from({ length: 130 }).reduce<Oid>((parent, _, index) => client.git("commit-tree", "-p", parent, "-m", `${index}`, tree), first);

/** Creates a store with the client's objects and the given refs. */
async function storeWith({ db, git }: StoreFixture, refs: Readonly<Record<string, Oid>>): Promise<GitStore> {
  const id = await db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
  const store = git.store(id, "sha1");
  await importObjects(store, client, [merge, longTip, tagOfTag, treeTag]);
  const updates = await describeTips(
    store,
    Object.entries(refs).map(([name, newOid]) => ({ name, oldOid: null, newOid })),
  );
  await db.tx((tx) => moveStoreRefs(tx, id, updates, "all"));
  return store;
}

eachDialect((dialect) => {
  describe("resolving revisions", () => {
    test("prefers a branch, then a tag, then an id, then an abbreviated id", async () => {
      await using fixture = await openStoreFixture(dialect);
      const { db } = fixture;
      const short = first.slice(0, 7);
      const store = await storeWith(fixture, {
        "refs/heads/main": second,
        "refs/heads/both": second,
        "refs/heads/feature/x": first,
        [`refs/heads/${short}`]: second,
        "refs/tags/both": first,
        "refs/tags/v1": tag,
        "refs/tags/v1-again": tagOfTag,
        "refs/tags/light": first,
        "refs/tags/tree": treeTag,
      });
      const resolve = async (rev: string, kinds?: readonly RevKind[]) => {
        const found = await resolveRev({ db }, store, rev, kinds);
        return found && [found.kind, found.oid, found.commitOid, found.refName];
      };
      expect(await resolve("main")).toEqual(["branch", second, second, "refs/heads/main"]);
      expect(await resolve("feature/x")).toEqual(["branch", first, first, "refs/heads/feature/x"]);
      expect(await resolve("both")).toEqual(["branch", second, second, "refs/heads/both"]);
      expect(await resolve("both", ["tag"])).toEqual(["tag", first, first, "refs/tags/both"]);
      expect(await resolve("v1")).toEqual(["tag", tag, first, "refs/tags/v1"]);
      expect(await resolve("v1-again")).toEqual(["tag", tagOfTag, first, "refs/tags/v1-again"]);
      expect(await resolve("light")).toEqual(["tag", first, first, "refs/tags/light"]);
      expect(await resolve("tree")).toBeUndefined();
      expect(await resolve(first)).toEqual(["commit", first, first, undefined]);
      expect(await resolve(first.toUpperCase())).toEqual(["commit", first, first, undefined]);
      expect(await resolve(tag)).toEqual(["commit", tag, first, undefined]);
      expect(await resolve(short)).toEqual(["branch", second, second, `refs/heads/${short}`]);
      expect(await resolve(short, ["commit"])).toEqual(["commit", first, first, undefined]);
      expect(await resolve(second.slice(0, 10))).toEqual(["commit", second, second, undefined]);
      expect(await resolve(tag.slice(0, 12))).toEqual(["commit", first, first, undefined]);
      expect(await resolve("main", ["tag", "commit"])).toBeUndefined();
    });

    test("resolves HEAD, full names of refs and expressions", async () => {
      await using fixture = await openStoreFixture(dialect);
      const { db } = fixture;
      const store = await storeWith(fixture, {
        "refs/heads/main": merge,
        "refs/heads/feature/x": first,
        "refs/heads/heads/main": first,
        "refs/tags/v1": tag,
        "refs/tags/light": second,
        "refs/pull/1/head": second,
        "refs/hearth/deleted/1": first,
      });
      const resolve = async (rev: string, kinds?: readonly RevKind[]) => {
        const found = await resolveRev({ db }, store, rev, kinds);
        return found && [found.kind, found.commitOid, found.refName];
      };
      const branch = (oid: Oid, name = "main") => ["branch", oid, `refs/heads/${name}`];
      const commit = (oid: Oid) => ["commit", oid, undefined];
      for (const [rev, expected] of [
        ["HEAD", branch(merge)],
        ["@", branch(merge)],
        ["refs/heads/main", branch(merge)],
        // A branch of this name takes precedence over the longer form of the other one.
        ["heads/main", branch(first, "heads/main")],
        ["heads/feature/x", branch(first, "feature/x")],
        ["tags/v1", ["tag", first, "refs/tags/v1"]],
        ["refs/tags/light", ["tag", second, "refs/tags/light"]],
        ["refs/pull/1/head", commit(second)],
        ["pull/1/head", commit(second)],
        ["refs/hearth/deleted/1", undefined],
        ["hearth/deleted/1", undefined],
        ["main^", commit(second)],
        ["main~1", commit(second)],
        ["main^2", commit(first)],
        ["main^3", undefined],
        ["main~", commit(second)],
        ["main~2", commit(first)],
        ["main^^", commit(first)],
        ["main^1~1", commit(first)],
        ["main~3", undefined],
        ["main~101", undefined],
        ["main^0", commit(merge)],
        ["v1^{}", commit(first)],
        ["v1^{commit}", commit(first)],
        ["HEAD~1", commit(second)],
        ["refs/heads/main^2", commit(first)],
        ["feature/x^{}", commit(first)],
        [`${merge.slice(0, 9)}~1`, commit(second)],
        [`${merge}^2`, commit(first)],
        [`v1-2-g${second.slice(0, 8)}`, commit(second)],
        [`${"main".padEnd(40, "^0")}`, commit(merge)],
      ] as const)
        expect(await resolve(rev), rev).toEqual(expected);
      expect(await resolve("HEAD", ["tag", "commit"])).toBeUndefined();
      expect(await resolve("main~1", ["branch", "tag"])).toBeUndefined();
      expect(await resolve("refs/tags/v1", ["branch"])).toBeUndefined();
      await db.tx((tx) =>
        moveStoreRefs(tx, store.id, [{ name: "refs/heads/main", oldOid: merge, newOid: null, type: "commit", peeledOid: "", tipMs: 0 }], "all"),
      );
      expect(await resolve("HEAD")).toBeUndefined();
    });

    test("finds a distant ancestor with one process", async () => {
      await using fixture = await openStoreFixture(dialect);
      const { db } = fixture;
      const store = await storeWith(fixture, { "refs/heads/long": longTip });
      expect((await resolveRev({ db }, store, "long~60"))?.commitOid).toBe(client.git("rev-parse", `${longTip}~60`));
      const processes = fixture.git.counters.processes;
      expect((await resolveRev({ db }, store, "long~120"))?.commitOid).toBe(client.git("rev-parse", `${longTip}~120`));
      expect(await resolveRev({ db }, store, "long~99999999")).toBeUndefined();
      expect(fixture.git.counters.processes - processes).toBe(2);
    });

    test("splits the revision off the front of a path", async () => {
      await using fixture = await openStoreFixture(dialect);
      const { db } = fixture;
      const store = await storeWith(fixture, { "refs/heads/main": merge, "refs/heads/feature/x": second, "refs/tags/feature": tag });
      const meanings = async (path: string, options?: PathRevOptions) => {
        const found: string[] = [];
        for await (const { word, found: rev, rest } of resolvePath({ db }, store, path, options)) found.push(`${rev.kind} ${word}: ${rest}`);
        return found;
      };
      const fallback = "refs/heads/main";
      expect(await meanings("feature/x/a/b.md")).toEqual(["branch feature/x: a/b.md", "tag feature: x/a/b.md"]);
      expect(await meanings("feature/x/a/b.md", { kinds: ["tag"] })).toEqual(["tag feature: x/a/b.md"]);
      expect(await meanings("refs/heads/feature/x/a.md")).toEqual(["branch refs/heads/feature/x: a.md"]);
      expect(await meanings("heads/feature/x/a.md", { kinds: ["branch"] })).toEqual(["branch heads/feature/x: a.md"]);
      expect(await meanings("tags/feature/a.md")).toEqual(["tag tags/feature: a.md"]);
      expect(await meanings("HEAD/a.md", { fallback })).toEqual(["branch HEAD: a.md", "branch : HEAD/a.md"]);
      expect(await meanings("HEAD/a.md", { kinds: ["commit"] })).toEqual([]);
      expect(await meanings(`${first}/a.md`, { fallback })).toEqual([`commit ${first}: a.md`, `branch : ${first}/a.md`]);
      expect(await meanings("feature/x~1/a.md", { kinds: ["commit"] })).toEqual(["commit feature/x~1: a.md"]);
      expect(await meanings("main^2/a~1/b")).toEqual(["commit main^2: a~1/b"]);
      expect(await meanings("a~1/b", { fallback })).toEqual(["branch : a~1/b"]);
      expect(await meanings("nosuch/a.md")).toEqual([]);
    });

    test("rejects all other strings without passing them to git", async () => {
      await using fixture = await openStoreFixture(dialect);
      const { db } = fixture;
      const store = await storeWith(fixture, { "refs/heads/main": second, "refs/tags/v1": tag });
      const processes = fixture.git.counters.processes;
      const words = [
        ...["", "main^{tree}", "@{-1}", "main@{1}", "HEAD@{9.years.ago}", ":/two", "HEAD^{/(a+)+$}", ":a.txt", "main:a.txt"],
        ...["--output=/tmp/pwned", "-x", "--all", "heads/v1", "tags/main", "refs/main", "origin/main", "main..v1", "^main", "main\nv1", "main\0", "nosuch"],
        ...["\ud800", "../main", "main/", "/main", "f".repeat(40), "f".repeat(64), "f".repeat(65), second.slice(0, 6), `${second}0`, `${second}^{tree}`],
        ...[
          "~1",
          "^",
          "main~x",
          "main~1:",
          "main^{",
          "main^{}x",
          "main~1/a",
          `main${"^".repeat(1_000)}`,
          "refs/heads/../../config",
          "refs/",
          "refs//heads/main",
        ],
      ];
      for (const word of words) expect(await resolveRev({ db }, store, word), JSON.stringify(word)).toBeUndefined();
      expect(await resolveRev({ db }, store, blob)).toBeUndefined();
      expect(await resolveRev({ db }, store, tree)).toBeUndefined();
      expect(fixture.git.counters.processes - processes).toBeLessThanOrEqual(1);
    });

    test("does not find an object of another store", async () => {
      await using fixture = await openStoreFixture(dialect);
      const { db } = fixture;
      const store = await storeWith(fixture, { "refs/heads/main": second });
      const other = await db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
      expect(await resolveRev({ db }, fixture.git.store(other, "sha1"), second)).toBeUndefined();
      expect(await resolveRev({ db }, store, second)).toBeDefined();
    });

    test("takes one statement for any name", async () => {
      await using fixture = await openStoreFixture(dialect);
      const { db } = fixture;
      const store = await storeWith(fixture, { "refs/heads/main": second, "refs/tags/v1": tag });
      for (const [rev, statements] of [
        ["main", 1],
        ["v1", 1],
        ["nosuch", 1],
        ["-x", 0],
        ["HEAD", 2],
        ["refs/heads/main", 1],
        ["main~1", 1],
        [second, 0],
      ] as const) {
        const before = db.counters.statements;
        await resolveRev({ db }, store, rev);
        expect(db.counters.statements - before, rev).toBe(statements);
      }
    });
  });

  describe("tips", () => {
    test("rows store the time of the tip and the peeled target of a tag", async () => {
      await using fixture = await openStoreFixture(dialect);
      const store = await storeWith(fixture, {});
      const input = (name: string, newOid: Oid) => ({ name, oldOid: null, newOid });
      const tips = await describeTips(store, [
        input("refs/heads/main", first),
        input("refs/tags/light", first),
        input("refs/tags/v1", tag),
        input("refs/tags/again", tagOfTag),
        input("refs/tags/tree", treeTag),
        input("refs/tags/blob", blob),
      ]);
      const committed = Number(client.git("log", "-1", "--format=%ct", first)) * 1000;
      expect(tips.map(({ type, peeledOid, tipMs }) => [type, peeledOid, tipMs > 0])).toEqual([
        ["commit", "", true],
        ["commit", "", true],
        ["tag", first, true],
        ["tag", first, true],
        ["tag", tree, true],
        ["blob", "", false],
      ]);
      expect(tips[0]?.tipMs).toBe(committed);
      await expect(describeTips(store, [input("refs/heads/main", blob)])).rejects.toMatchObject({ code: "invalid" });
      await expect(describeTips(store, [input("refs/heads/main", tag)])).rejects.toMatchObject({ code: "invalid" });
      await expect(describeTips(store, [input("refs/tags/x", "f".repeat(40))])).rejects.toMatchObject({ code: "not_found" });
    });
  });
});
