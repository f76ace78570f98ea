import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { refused, unavailable } from "../../core/errors.ts";
import { isOid } from "../run/commands.ts";
import { streamGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Commit, GitObject, ObjectInfo, ObjectType, Oid, Tag, TreeEntry } from "../types.ts";
import { isWorkerDeath, type ObjectReply } from "./cat-file-worker.ts";
import { emptyTreeOid } from "./hash.ts";
import type { CachedKind, CachedObjects } from "./object-cache.ts";
import { parseCommit, parseTag, parseTreeInTurns } from "./parse.ts";

/**
 * Reads objects by id: from the cache, else from a pooled worker. Calls within one event loop turn are batched.
 * `undefined` means: not in this store, or of another type. All other failures are a ForgeError.
 */

/** Larger commits, trees and tags are rejected: a directory has at most about 200,000 entries. */
const structureBytes = 8 * 1024 * 1024;
/** Maximum size of cached blobs. */
const cachedBlobBytes = 128 * 1024;
/** Maximum size of blobs read by a pooled worker; larger ones get a process of their own. */
const pooledBlobBytes = 512 * 1024;
/** Larger commits are parsed in a turn of the event loop each: several of them arrive together. */
const turnBytes = 128 * 1024;
const shortestPrefix = 7;
/** Each search after the first one follows an arrival of packs. */
const maxSearches = 5;

/** @throws ForgeError `unavailable` */
async function request(store: GitStore, command: "contents" | "info", name: string, maxBytes: number): Promise<ObjectReply> {
  const { home, packs, pool } = store.shared;
  const environment = {
    ...(store.isQuarantine ? await store.environment() : {}),
    // The worker's directory has no refs, so hex digits are always an id and never a branch name.
    GIT_DIR: home.neutralDirectory(store.format),
    GIT_OBJECT_DIRECTORY: store.objectsPath,
  };
  for (let searches = 1; searches <= maxSearches; searches += 1) {
    const seen = packs.arrivals(store);
    const isThere = store.isQuarantine || (await isPresent(store));
    try {
      const reply: ObjectReply = isThere ? await pool.request({ key: store.key, environment }, command, name, maxBytes) : { status: "missing" };
      // Another node may have added it since the handle was created, and the copy on this node may have been deleted.
      if (reply.status !== "missing" || !(await packs.refresh(store, seen))) return reply;
    } catch (error) {
      // Git fails without the directory.
      if (!isWorkerDeath(error) || !(await packs.refresh(store, seen))) throw error;
    }
  }
  throw unavailable("the objects of the repository change too fast", { retryAfter: 5 });
}

function cached<K extends CachedKind>(store: GitStore, kind: K, oid: Oid): CachedObjects[K] | undefined {
  return store.shared.cache.get(store.key, kind, oid);
}

/** Whether it is a complete id in the store's object format; git would take a short one for a prefix. */
function isStoreOid(store: GitStore, oid: string): boolean {
  return isOid(oid) && (oid.length === 40) === (store.format === "sha1");
}

/** Reads a raw object. @throws ForgeError `refused` if it is larger than `maxBytes` */
export async function readObject(store: GitStore, oid: Oid, maxBytes = structureBytes): Promise<GitObject | undefined> {
  if (!isStoreOid(store, oid)) return undefined;
  const reply = await request(store, "contents", oid, maxBytes);
  if (reply.status === "too_large") throw objectTooLarge(reply.oid, reply.sizeBytes);
  return reply.status === "found" ? { oid: reply.oid, type: reply.type, data: reply.data } : undefined;
}

export async function readInfo(store: GitStore, oid: Oid): Promise<ObjectInfo | undefined> {
  const known = cached(store, "info", oid);
  if (known !== undefined || !isStoreOid(store, oid)) return known;
  const reply = await request(store, "info", oid, 0);
  if (reply.status !== "found") return undefined;
  return remember(store, "info", reply.oid, { oid: reply.oid, type: reply.type, sizeBytes: reply.sizeBytes }, 120);
}

function remember<K extends CachedKind>(store: GitStore, kind: K, oid: Oid, value: CachedObjects[K], sizeBytes: number): CachedObjects[K] {
  store.shared.cache.set(store.key, kind, oid, value, sizeBytes);
  return value;
}

/** Reads and parses an object of one type through the cache. */
async function readParsed<K extends "commit" | "tree" | "tag">(
  store: GitStore,
  kind: K,
  oid: Oid,
  parse: (oid: Oid, data: Buffer) => CachedObjects[K] | Promise<CachedObjects[K]>,
): Promise<CachedObjects[K] | undefined> {
  const known = cached(store, kind, oid);
  if (known !== undefined) return known;
  const object = await readObject(store, oid);
  if (object?.type !== kind) return undefined;
  if (object.data.length > turnBytes) await setImmediate();
  // Strings take up to two bytes per character, and each tree entry is an object.
  return remember(store, kind, oid, await parse(oid, object.data), object.data.length * (kind === "tree" ? 6 : 2) + 500);
}

export async function readCommit(store: GitStore, oid: Oid): Promise<Commit | undefined> {
  return readParsed(store, "commit", oid, parseCommit);
}

/** Reads all in one batch; `undefined` for each id that is not a commit in this store. */
export async function readCommits(store: GitStore, oids: readonly Oid[]): Promise<(Commit | undefined)[]> {
  return Promise.all(oids.map((oid) => readCommit(store, oid)));
}

/** Entries in git's order. The empty tree exists in every store. */
export async function readTree(store: GitStore, oid: Oid): Promise<readonly TreeEntry[] | undefined> {
  const entries = await readParsed(store, "tree", oid, parseTreeInTurns);
  return entries ?? (oid === emptyTreeOid(store.format) ? [] : undefined);
}

export async function readTag(store: GitStore, oid: Oid): Promise<Tag | undefined> {
  return readParsed(store, "tag", oid, parseTag);
}

export interface BlobRead {
  readonly sizeBytes: number;
  /** Undefined if the blob is larger than requested. */
  readonly data: Buffer | undefined;
}

/** Reads a blob of at most `maxBytes`; for a larger one only its size. */
export async function readBlob(store: GitStore, oid: Oid, maxBytes: number): Promise<BlobRead | undefined> {
  const known = cached(store, "blob", oid);
  if (known !== undefined) return { sizeBytes: known.length, data: known.length <= maxBytes ? known : undefined };
  const info = cached(store, "info", oid);
  if (info !== undefined && (info.type !== "blob" || info.sizeBytes > maxBytes)) {
    return info.type === "blob" ? { sizeBytes: info.sizeBytes, data: undefined } : undefined;
  }
  if (!isStoreOid(store, oid)) return undefined;
  const reply = await request(store, "contents", oid, maxBytes);
  if (reply.status === "missing" || reply.status === "ambiguous" || reply.type !== "blob") return undefined;
  const { sizeBytes } = reply;
  remember(store, "info", oid, { oid, type: "blob", sizeBytes }, 120);
  if (reply.status === "too_large") return { sizeBytes, data: undefined };
  if (sizeBytes <= cachedBlobBytes) remember(store, "blob", oid, reply.data, sizeBytes);
  return { sizeBytes, data: reply.data };
}

export interface BlobStream {
  readonly sizeBytes: number;
  /** Fails if git fails, so a truncated blob is never mistaken for a complete one. */
  readonly stream: Readable;
}

/** Streams a blob of any size with backpressure. Destroying the stream ends git. */
export async function streamBlob(store: GitStore, oid: Oid, signal?: AbortSignal): Promise<BlobStream | undefined> {
  const blob = await readBlob(store, oid, pooledBlobBytes);
  if (blob === undefined) return undefined;
  if (blob.data !== undefined) return { sizeBytes: blob.sizeBytes, stream: Readable.from([blob.data], { objectMode: false }) };
  const { stdout } = await streamGit(store, { name: "cat-file", words: ["blob"], revisions: [oid] }, { signal });
  return { sizeBytes: blob.sizeBytes, stream: stdout };
}

/**
 * Resolves an abbreviated id of at least {@link shortestPrefix} digits. With a type, only objects that peel to it count, and the peeled
 * object is returned: the commit for a tag. `undefined` if there is no match, or more than one.
 */
export async function resolvePrefix(store: GitStore, prefix: string, type?: ObjectType): Promise<ObjectInfo | undefined> {
  const digits = prefix.toLowerCase();
  if (digits.length < shortestPrefix || digits.length > (store.format === "sha1" ? 40 : 64) || !/^[0-9a-f]+$/.test(digits)) return undefined;
  const reply = await request(store, "info", type === undefined ? digits : `${digits}^{${type}}`, 0);
  if (reply.status !== "found") return undefined;
  return remember(store, "info", reply.oid, { oid: reply.oid, type: reply.type, sizeBytes: reply.sizeBytes }, 120);
}

/** Annotated tags may point to tags; longer chains are rejected as invalid. */
const longestTagChain = 20;

/** Follows all annotated tags to their target; `undefined` if an object on the way is missing. */
export async function peel(store: GitStore, oid: Oid): Promise<ObjectInfo | undefined> {
  let info = await readInfo(store, oid);
  for (let steps = 0; info?.type === "tag"; steps++) {
    if (steps === longestTagChain) return undefined;
    const tag = await readTag(store, info.oid);
    info = tag && (await readInfo(store, tag.targetOid));
  }
  return info;
}

/** Peels an id to its commit. */
export async function peelToCommit(store: GitStore, oid: Oid): Promise<Commit | undefined> {
  const commit = cached(store, "commit", oid);
  if (commit !== undefined) return commit;
  const info = await peel(store, oid);
  return info?.type === "commit" ? readCommit(store, info.oid) : undefined;
}

/** The entry at a path below a tree; the empty path is the tree itself. Symbolic links are never followed. */
export async function findEntry(store: GitStore, rootTreeOid: Oid, path: string): Promise<TreeEntry | undefined> {
  let entry: TreeEntry = { mode: "040000", name: "", oid: rootTreeOid };
  if (path === "") return entry;
  for (const name of path.split("/")) {
    if (entry.mode !== "040000") return undefined;
    const entries: readonly TreeEntry[] | undefined = await readTree(store, entry.oid);
    const next = entries && entryNamed(entries, name);
    if (next === undefined) return undefined;
    entry = next;
  }
  return entry;
}

/** Name indexes of large trees in use: many paths are often looked up in one tree. */
const indexes = new WeakMap<readonly TreeEntry[], ReadonlyMap<string, TreeEntry>>();
const indexedEntries = 200;

function entryNamed(entries: readonly TreeEntry[], name: string): TreeEntry | undefined {
  if (entries.length < indexedEntries) return entries.find((candidate) => candidate.name === name);
  let index = indexes.get(entries);
  if (index === undefined) {
    // A damaged tree can repeat a name; the first entry counts.
    index = new Map(entries.toReversed().map((entry) => [entry.name, entry]));
    indexes.set(entries, index);
  }
  return index.get(name);
}

function objectTooLarge(oid: Oid, sizeBytes: number) {
  return refused("the object is too large to read", { meta: { reason: "object_too_large", oid, sizeBytes } });
}
