import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../../../../test/kit/logs.ts";
import { newBlob, newCommit, newTree } from "../../../../git/objects/format.ts";
import type { CachedKind } from "../../../../git/objects/object-cache.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import { type GitStores, openGitStores } from "../../../../git/stores.ts";
import type { GitObject, Oid } from "../../../../git/types.ts";
import { computeCheck } from "./checks.ts";

const filesOfFolder = 100;
const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offsetMinutes: 0 };
const plain = newBlob("sha1", Buffer.from("plain\n"));

/** Writes a commit with this number of files, some in the first folder changed. */
function snapshot(files: number, changed: Readonly<Record<string, string>>, parentOids: readonly Oid[]): readonly [Oid, readonly GitObject[]] {
  const objects: GitObject[] = [plain];
  const names = Array.from({ length: filesOfFolder }, (_, at) => `file-${String(at).padStart(2, "0")}`);
  const folders = Array.from({ length: files / filesOfFolder }, (_, folder) => {
    const entries = names.map((name) => {
      const text = folder === 0 ? changed[name] : undefined;
      const blob = text === undefined ? plain : newBlob("sha1", Buffer.from(text));
      if (text !== undefined) objects.push(blob);
      return { name, mode: "100644", oid: blob.oid } as const;
    });
    const tree = newTree("sha1", entries);
    objects.push(tree);
    return { name: `folder-${String(folder).padStart(4, "0")}`, mode: "040000", oid: tree.oid } as const;
  });
  const root = newTree("sha1", folders);
  const commit = newCommit("sha1", { treeOid: root.oid, parentOids, author: person, committer: person, message: JSON.stringify(changed) });
  return [commit.oid, [...objects, root, commit]];
}

/** Checks whether two diverged heads merge, and counts the objects read. */
async function look(stores: GitStores, id: number, files: number, theirs: Readonly<Record<string, string>>) {
  const store = stores.store(id, "sha1");
  const [startOid, start] = snapshot(files, {}, []);
  const [baseOid, base] = snapshot(files, { "file-10": "ours\n" }, [startOid]);
  const [headOid, head] = snapshot(files, theirs, [startOid]);
  const objects = new Map([...start, ...base, ...head].map((object) => [object.oid, object]));
  await writeObjects(store, [...objects.values()]);
  const read: CachedKind[] = [];
  const { cache } = store.shared;
  const counted: typeof cache = {
    get: () => undefined,
    set: (_store, kind) => void read.push(kind),
    sizeBytes: 0,
  };
  const before = stores.counters.processes;
  const { outcome } = await computeCheck({ ...store, shared: { ...store.shared, cache: counted } }, baseOid, headOid);
  return { outcome, read: read.sort(), processes: stores.counters.processes - before };
}

test("reads as many objects to check a merge among 30,000 files as among 300", async () => {
  const root = await mkdtemp(join(tmpdir(), "hearth-checks-"));
  const stores = await openGitStores({ root, log: silentLog, searchPath: process.env.PATH ?? "" });
  try {
    const cases = [
      { theirs: { "file-90": "theirs\n" }, outcome: "clean" },
      { theirs: { "file-10": "theirs\n" }, outcome: "conflict" },
    ];
    for (const [at, { theirs, outcome }] of cases.entries()) {
      const few = await look(stores, at * 2 + 1, 300, theirs);
      const many = await look(stores, at * 2 + 2, 30_000, theirs);
      expect(many).toEqual(few);
      expect(few.outcome).toBe(outcome);
      expect(few.read.length).toBeGreaterThan(0);
    }
  } finally {
    await stores.close();
    await rm(root, { recursive: true, force: true });
  }
});
