import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, createClient, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { isForgeError } from "../../core/errors.ts";
import { newBlob, newTree } from "../objects/format.ts";
import { emptyTreeOid } from "../objects/hash.ts";
import { findEntry, readTree } from "../objects/objects.ts";
import { writeObjects } from "../objects/write.ts";
import type { GitStore } from "../stores.ts";
import { editTree, type TreeChange } from "./tree-edit.ts";

const blob = newBlob("sha1", Buffer.from("content\n"));
const other = newBlob("sha1", Buffer.from("other\n"));
const put = (path: string, oid = blob.oid, mode: "100644" | "100755" | "120000" = "100644"): TreeChange => ({ kind: "put", path, mode, oid });
const remove = (path: string): TreeChange => ({ kind: "remove", path });

describe("editing a tree", () => {
  let kit: TestStores;
  let store: GitStore;
  beforeAll(async () => {
    kit = await openTestStores();
    store = kit.fresh();
    await writeObjects(store, [blob, other]);
  });
  afterAll(() => kit.close());

  /** Applies the changes and stores the result. */
  const edit = async (rootOid: string | undefined, ...changes: TreeChange[]): Promise<string> => {
    const edited = await editTree(store, rootOid, changes);
    await writeObjects(store, edited.objects);
    return edited.treeOid;
  };
  /** All files below a tree. */
  const list = async (treeOid: string, prefix = ""): Promise<string[]> => {
    const entries = await readTree(store, treeOid);
    if (entries === undefined) throw new Error(`${treeOid} is not there`);
    const lists = entries.map(async ({ name, mode, oid }) => (mode === "040000" ? list(oid, `${prefix}${name}/`) : [`${prefix}${name}`]));
    return (await Promise.all(lists)).flat();
  };

  test("reads and writes only the trees along the path", async () => {
    const files = Array.from({ length: 200 }, (_, i) => put(`dir${i % 10}/sub${i % 5}/file${i}`));
    const root = await edit(undefined, ...files);
    expect(await list(root)).toHaveLength(200);
    const processes = kit.stores.counters.processes;
    const edited = await editTree(store, root, [put("dir3/sub3/file3", other.oid)]);
    expect(edited.objects.map(({ type }) => type)).toEqual(["tree", "tree", "tree"]);
    expect(edited.objects.at(-1)?.oid).toBe(edited.treeOid);
    expect(kit.stores.counters.processes).toBe(processes);
    expect((await editTree(store, root, [])).treeOid).toBe(root);
    expect((await editTree(store, root, [])).objects).toEqual([]);
  });

  test("removes files, directories, and directories that become empty", async () => {
    const root = await edit(undefined, put("a/b/c/d"), put("a/x"), put("z"));
    expect(await list(await edit(root, remove("a/b/c/d")))).toEqual(["a/x", "z"]);
    expect(await list(await edit(root, remove("a")))).toEqual(["z"]);
    expect(await edit(root, remove("a/b/c/d"), remove("a/x"), remove("z"))).toBe(emptyTreeOid("sha1"));
    expect(await edit(undefined)).toBe(emptyTreeOid("sha1"));
    expect(await readTree(store, emptyTreeOid("sha1"))).toEqual([]);
  });

  test("applies steps in order, so that a file can become a directory", async () => {
    const root = await edit(undefined, put("a"), put("b/c"));
    expect(await list(await edit(root, remove("a"), put("a/new")))).toEqual(["a/new", "b/c"]);
    expect(await list(await edit(root, remove("b/c"), put("b")))).toEqual(["a", "b"]);
    expect(await list(await edit(root, put("n"), remove("n")))).toEqual(["a", "b/c"]);
  });

  test("rejects collisions and missing paths without changes", async () => {
    const root = await edit(undefined, put("file"), put("dir/inner"), put("link", blob.oid, "120000"));
    const refusals: [TreeChange, string, string][] = [
      [put("dir"), "invalid", "a directory exists where you’re trying to create a file [path: dir]"],
      [put("file/x"), "invalid", "a file exists where you’re trying to create a subdirectory [path: file]"],
      [put("dir/inner/x/y"), "invalid", "a file exists where you’re trying to create a subdirectory [path: dir/inner]"],
      [put("link/x"), "invalid", "a file exists where you’re trying to create a subdirectory [path: link]"],
      [remove("nothing"), "not_found", "object does not exist [id: , rel_path: nothing]"],
      [remove("dir/nothing"), "not_found", "object does not exist [id: , rel_path: dir/nothing]"],
      [remove("file/x"), "not_found", "object does not exist [id: , rel_path: file/x]"],
      [remove("link/x"), "not_found", "object does not exist [id: , rel_path: link/x]"],
      [remove(""), "not_found", "object does not exist [id: , rel_path: ]"],
      [put(".git/config"), "invalid", "path contains a malformed path component [path: .git/config]"],
    ];
    for (const [change, code, message] of refusals) await expect(editTree(store, root, [put("new"), change])).rejects.toMatchObject({ code, message });
    // Replaced as an entry, not followed.
    const replaced = await edit(root, put("link", other.oid, "120000"));
    expect(await findEntry(store, replaced, "link")).toMatchObject({ mode: "120000", oid: other.oid });
  });

  test("removes entries with names that cannot be created", async () => {
    const bad = newTree("sha1", [{ name: "tab\there", mode: "100644", oid: blob.oid }]);
    await writeObjects(store, [bad]);
    await expect(editTree(store, bad.oid, [put("tab\there")])).rejects.toMatchObject({ code: "invalid" });
    expect(await edit(bad.oid, put("a"), remove("tab\there"))).toBe(await edit(undefined, put("a")));
  });
});

describe("tree edits compared with git's index", () => {
  let kit: TestStores;
  let client: ClientRepository;
  let store: GitStore;
  beforeAll(async () => {
    kit = await openTestStores();
    store = kit.fresh();
    client = createClient();
    await writeObjects(store, [blob, other]);
    for (const { data } of [blob, other]) client.pipe(data, "hash-object", "-w", "--stdin");
  });
  afterAll(async () => {
    client.remove();
    await kit.close();
  });

  test("give the same tree for any sequence of changes", { timeout: 60_000 }, async () => {
    const name = fc.constantFrom("a", "b", "ab", "a.b", "a-", "ü", "B", "\u{1f600}", "\uff5e");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
    const change = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant("put" as const),
          path,
          mode: fc.constantFrom("100644" as const, "100755" as const),
          oid: fc.constantFrom(blob.oid, other.oid),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), path }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
        let root: string | undefined;
        const files = new Map<string, string>();
        for (const step of changes) {
          try {
            const edited = await editTree(store, root, [step]);
            await writeObjects(store, edited.objects);
            root = edited.treeOid;
          } catch (error) {
            if (!isForgeError(error)) throw error;
            continue;
          }
          if (step.kind === "put") files.set(step.path, `${step.mode} ${step.oid}\t${step.path}\0`);
          else for (const file of files.keys()) if (file === step.path || file.startsWith(`${step.path}/`)) files.delete(file);
        }
        client.git("read-tree", "--empty");
        client.pipe([...files.values()].join(""), "update-index", "-z", "--index-info");
        expect(root ?? emptyTreeOid("sha1")).toBe(client.git("write-tree"));
      }),
      { numRuns: 100 },
    );
  });
});
