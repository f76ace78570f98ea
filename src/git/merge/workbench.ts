import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import { notFound, tooLarge } from "../../core/errors.ts";
import { mergeBases } from "../history/log.ts";
import { nearMergeBases } from "../history/merge-bases.ts";
import { alreadyExists, onStorage } from "../objects/durable-fs.ts";
import { type NewCommit, newCommit, type SignObject } from "../objects/format.ts";
import { objectHeader } from "../objects/hash.ts";
import { decodeName } from "../objects/names.ts";
import { readBlob, readCommit, readTree } from "../objects/objects.ts";
import { parseCommit, parseTree } from "../objects/parse.ts";
import { createQuarantine, type Quarantine } from "../receive/pack.ts";
import { outOfMemory } from "../run/resource-limit.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Commit, FileMode, GitObject, ObjectType, Oid, TreeEntry } from "../types.ts";
import { mergePlainly, type ThreeTrees } from "./plain-merge.ts";

/**
 * Result of a merge. `unrelated`: there is no common ancestor.
 * Conflict paths are those that git reports, in git's order.
 */
export type Merged =
  | { readonly kind: "clean"; readonly treeOid: Oid }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "unrelated" };

/** A conflicting merge with conflict markers, to be resolved by the user. */
export interface MarkedMerge {
  /** The merged tree. Conflicting files contain conflict markers. The new objects are in {@link Workbench.objects}. */
  readonly treeOid: Oid;
  readonly files: readonly MarkedFile[];
}

export interface MarkedFile {
  readonly path: string;
  /** Undefined: deleted or moved on one side, or not a file. */
  readonly found: { readonly mode: FileMode; readonly data: Buffer } | undefined;
}

/**
 * Creates commits whose objects can be read only through this handle. The caller keeps them by writing {@link Workbench.objects} to the
 * store. There is no working tree and no index: merges work on trees.
 */
export interface Workbench extends AsyncDisposable {
  /** All new objects, each once, dependencies first; not stored yet. */
  objects(): readonly GitObject[];
  add(object: GitObject): Oid;
  commit(commit: NewCommit, sign?: SignObject): Oid;
  readCommit(oid: Oid): Promise<Commit>;
  /** Applies the changes from base to theirs to ours. */
  mergeTrees(trees: ThreeTrees): Promise<Merged>;
  /** Merges two commits and returns the tree. */
  mergeCommits(oursOid: Oid, theirsOid: Oid): Promise<Merged>;
  /** Writes the conflicts between two commits; undefined if there are none. One process. */
  markConflicts(oursOid: Oid, theirsOid: Oid): Promise<MarkedMerge | undefined>;
}

/** Maximum size of objects from git's merges, which stay in memory until they are stored. */
const maxMadeBytes = 256 * 1024 * 1024;
const mergeTimeoutMs = 60_000;
/** Larger files cannot be resolved here. */
const maxMarkedBytes = 4 * 1024 * 1024;

const deflated = promisify(deflate);
const inflated = promisify(inflate);

/** Opens a workbench on a store. Free until first used; git runs only if {@link mergePlainly} cannot decide. */
export function openWorkbench(store: GitStore, signal?: AbortSignal): Workbench {
  const made = new Map<Oid, GitObject>();
  /** Created only when git itself has to read the new objects. */
  let shared: Promise<Quarantine> | undefined;
  const shown = new Set<Oid>();

  const add = (object: GitObject): Oid => {
    made.set(object.oid, object);
    return object.oid;
  };

  async function treeOf(oid: Oid): Promise<readonly TreeEntry[]> {
    const object = made.get(oid);
    const entries = object === undefined ? await readTree(store, oid) : parseTree(oid, object.data);
    if (entries === undefined) throw notFound("object does not exist", { meta: { oid } });
    return entries;
  }

  async function commitOf(oid: Oid): Promise<Commit> {
    const object = made.get(oid);
    const commit = object === undefined ? await readCommit(store, oid) : parseCommit(oid, object.data);
    if (commit === undefined) throw notFound("object does not exist", { meta: { oid } });
    return commit;
  }

  /** A quarantine with all new objects. Nothing in it is synced, because it is discarded. */
  async function show(): Promise<GitStore> {
    shared ??= createQuarantine(store);
    const quarantine = await shared;
    await quarantine.open();
    const inside = quarantine.store;
    const fresh = [...made.values()].filter(({ oid }) => !shown.has(oid));
    await onStorage(() => Promise.all(fresh.map((object) => writeLoose(inside.objectsPath, object))));
    for (const { oid } of fresh) shown.add(oid);
    return inside;
  }

  /** Runs git's merge. The resulting tree is in the quarantine. */
  async function askGit(oursOid: Oid, theirsOid: Oid): Promise<{ readonly isClean: boolean; readonly treeOid: Oid; readonly paths: readonly string[] }> {
    const inside = await show();
    const flags = { "--write-tree": true, "--no-messages": true, "--name-only": true, "--allow-unrelated-histories": true, "-z": true } as const;
    const result = await runGit(
      inside,
      { name: "merge-tree", flags, revisions: [oursOid, theirsOid] },
      { accept: [0, 1, 128], signal, timeoutMs: mergeTimeoutMs },
    );
    if (result.code === 128) {
      if (outOfMemory.test(result.stderr)) throw tooLarge("the merge exceeds the server's limits; merge locally and push");
      throw new Error(`git merge-tree failed: ${result.stderr}`);
    }
    const [treeOid = "", ...paths] = splitNul(result.stdout);
    return { isClean: result.code === 0, treeOid, paths };
  }

  /** Copies the new objects of a tree out of the quarantine. */
  async function take(treeOid: Oid): Promise<void> {
    const inside = await show();
    const written = await onStorage(() => readNewLoose(inside.objectsPath, shown));
    for (const object of reachable(treeOid, new Map(written.map((object) => [object.oid, object])))) {
      add(object);
      shown.add(object.oid);
    }
  }

  async function mergeByGit(oursOid: Oid, theirsOid: Oid): Promise<Merged> {
    const { isClean, treeOid, paths } = await askGit(oursOid, theirsOid);
    if (!isClean) return { kind: "conflict", paths };
    await take(treeOid);
    return { kind: "clean", treeOid };
  }

  async function findFile(treeOid: Oid, path: string): Promise<MarkedFile["found"]> {
    let entry: TreeEntry | undefined;
    let inside: Oid | undefined = treeOid;
    for (const name of path.split("/")) {
      entry = inside === undefined ? undefined : (await treeOf(inside)).find((one) => one.name === name);
      inside = entry?.mode === "040000" ? entry.oid : undefined;
    }
    if (entry === undefined || !entry.mode.startsWith("100")) return undefined;
    const data = made.get(entry.oid)?.data ?? (await readBlob(store, entry.oid, maxMarkedBytes))?.data;
    return data === undefined ? undefined : { mode: entry.mode, data };
  }

  async function mergeTrees(trees: ThreeTrees): Promise<Merged> {
    const plain = await mergePlainly(store.format, treeOf, trees);
    if (plain !== undefined) {
      for (const tree of plain.trees) add(tree);
      return { kind: "clean", treeOid: plain.treeOid };
    }
    // Git 2.39 accepts commits but no explicit base, so it gets temporary commits whose only ancestor is the base.
    const parentOids = trees.baseOid === undefined ? [] : [add(standIn(trees.baseOid, []))];
    const [oursOid, theirsOid] = [standIn(trees.oursOid, parentOids), standIn(trees.theirsOid, parentOids)].map(add);
    const merged = await mergeByGit(oursOid as Oid, theirsOid as Oid);
    for (const oid of [...parentOids, oursOid, theirsOid]) made.delete(oid as Oid);
    return merged;
  }

  const standIn = (treeOid: Oid, parentOids: readonly Oid[]): GitObject => {
    const person = { name: "merge", email: "merge", seconds: 0, offsetMinutes: 0 };
    return newCommit(store.format, { treeOid, parentOids, author: person, committer: person, message: "" });
  };

  return {
    objects: () => [...made.values()],
    add,
    commit: (commit, sign) => add(newCommit(store.format, commit, sign)),
    readCommit: commitOf,
    mergeTrees,
    async mergeCommits(oursOid, theirsOid) {
      if (oursOid === theirsOid) return { kind: "clean", treeOid: (await commitOf(oursOid)).treeOid };
      const bases = (await nearMergeBases(store, oursOid, theirsOid)) ?? (await mergeBases(store, oursOid, theirsOid, signal));
      const [baseOid, ...more] = bases;
      if (baseOid === undefined) return { kind: "unrelated" };
      // For criss-cross histories git merges the several bases into a virtual one.
      if (more.length > 0) return mergeByGit(oursOid, theirsOid);
      const [base, ours, theirs] = await Promise.all([baseOid, oursOid, theirsOid].map(commitOf));
      return mergeTrees({ baseOid: base?.treeOid, oursOid: ours?.treeOid ?? "", theirsOid: theirs?.treeOid ?? "" });
    },
    async markConflicts(oursOid, theirsOid) {
      const { isClean, treeOid, paths } = await askGit(oursOid, theirsOid);
      if (isClean) return undefined;
      await take(treeOid);
      return { treeOid, files: await Promise.all(paths.map(async (path) => ({ path, found: await findFile(treeOid, path) }))) };
    },
    async [Symbol.asyncDispose]() {
      await (await shared)?.discard();
    },
  };
}

function splitNul(output: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    const field = output.subarray(at, end < 0 ? output.length : end);
    if (field.length > 0) texts.push(decodeName(field));
    at += field.length + 1;
  }
  return texts;
}

async function writeLoose(objectsPath: string, { oid, type, data }: GitObject): Promise<void> {
  const shard = join(objectsPath, oid.slice(0, 2));
  await mkdir(shard).catch((error: unknown) => {
    if (!alreadyExists(error)) throw error;
  });
  await writeFile(join(shard, oid.slice(2)), await deflated(Buffer.concat([Buffer.from(objectHeader(type, data.length), "latin1"), data])));
}

/** Objects that git wrote in its merge: few, because they are trees and files of one merge. */
async function readNewLoose(objectsPath: string, known: ReadonlySet<Oid>): Promise<GitObject[]> {
  const objects: GitObject[] = [];
  let rest = maxMadeBytes;
  for (const shard of await readdir(objectsPath)) {
    if (!/^[0-9a-f]{2}$/.test(shard)) continue;
    for (const name of await readdir(join(objectsPath, shard))) {
      const oid = shard + name;
      if (known.has(oid) || !/^[0-9a-f]+$/.test(name)) continue;
      const raw = await inflated(await readFile(join(objectsPath, shard, name)), { maxOutputLength: rest }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ERR_BUFFER_TOO_LARGE" ? tooLarge("the merge creates too many objects; merge locally and push") : error;
      });
      rest -= raw.length;
      const end = raw.indexOf(0);
      objects.push({ oid, type: raw.toString("latin1", 0, raw.indexOf(0x20)) as ObjectType, data: raw.subarray(end + 1) });
    }
  }
  return objects;
}

/** Objects needed by a tree, dependencies first. Git also writes intermediate objects, which are left out. */
function* reachable(treeOid: Oid, written: Map<Oid, GitObject>): Generator<GitObject> {
  const object = written.get(treeOid);
  if (object === undefined) return;
  written.delete(treeOid);
  if (object.type === "tree") for (const { oid } of parseTree(treeOid, object.data)) yield* reachable(oid, written);
  yield object;
}
