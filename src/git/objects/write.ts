import { mkdirSync, renameSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { formatPackedRefs, headContent, type RefProjection } from "../send/packed-refs.ts";
import { type GitStore, initialHead, materialize } from "../stores.ts";
import type { GitObject } from "../types.ts";
import { compress } from "./compress.ts";
import {
  alreadyExists,
  createFile,
  isMissing,
  type NewFile,
  onStorage,
  openNewFile,
  removeQuietly,
  settleAll,
  syncDirectory,
  temporaryName,
} from "./durable-fs.ts";
import { objectHeader } from "./hash.ts";
import { packIn, writePack } from "./pack-writer.ts";
import { parseCommit, parseTag, parseTree } from "./parse.ts";

/** The store's receipt for written objects. The transaction that references the objects records it. */
export interface WriteReceipt {
  /** Number of bytes added to the store. */
  readonly sizeBytes: number;
  /** The store's directory already has the refs that the transaction creates, so projecting them is unnecessary. Set for new stores. */
  readonly showsRefs?: boolean;
}

/**
 * From this number on one pack costs less than loose objects: a pack takes three syncs, a loose object two each.
 * Every push creates a pack anyway, and housekeeping combines them.
 */
const packThreshold = 2;

/**
 * Makes objects durable: once it resolves they survive a power cut, and a transaction may reference them. Until then they are unreferenced,
 * so a crash leaves garbage that housekeeping removes. Objects that already exist are kept and their age is reset.
 * @throws ForgeError `unavailable` if the storage fails; objects are never partially visible
 */
export async function writeObjects(store: GitStore, objects: readonly GitObject[]): Promise<WriteReceipt> {
  const unique = withoutRepeats(objects);
  if (unique.length === 0) return { sizeBytes: 0 };
  await materialize(store);
  const sizeBytes = await onStorage(() => (unique.length < packThreshold ? writeLoose(store, unique) : writePack(store, unique)));
  for (const object of unique) rememberObject(store, object);
  return { sizeBytes };
}

const withoutRepeats = (objects: readonly GitObject[]): GitObject[] => [...new Map(objects.map((object) => [object.oid, object])).values()];

/**
 * Creates a store with its first objects and refs, in one step and with one round of syncs, as durable as {@link writeObjects}.
 * If the caller then fails to create the refs in the database, the store remains unreferenced.
 */
export async function writeFirstObjects(store: GitStore, objects: readonly GitObject[], { headRef, refs }: RefProjection): Promise<WriteReceipt> {
  const unique = withoutRepeats(objects);
  const pack = await packIn(store.format, unique);
  const isMade = await materialize(store, async (path) => {
    const inPacks = join(path, "objects", "pack");
    const files = [
      ...(headRef === initialHead ? [] : [createFile(join(path, "HEAD"), headContent(headRef))]),
      createFile(join(path, "packed-refs"), formatPackedRefs(refs)),
      createFile(join(inPacks, `${pack.name}.pack`), pack.content, 0o444),
      createFile(join(inPacks, `${pack.name}.idx`), pack.index, 0o444),
    ];
    return [...files, syncDirectory(inPacks)];
  });
  if (!isMade) return writeObjects(store, unique);
  for (const object of unique) rememberObject(store, object);
  return { sizeBytes: pack.content.length + pack.index.length, showsRefs: true };
}

async function writeLoose(store: GitStore, objects: readonly GitObject[]): Promise<number> {
  const directories = new Set<string>();
  const sizes = await settleAll(
    objects.map((object) => {
      const directory = join(store.objectsPath, object.oid.slice(0, 2));
      directories.add(directory);
      return writeLooseObject(directory, object);
    }),
  );
  // Also if no object was written: the process that wrote it may not have synced yet.
  await settleAll([...directories].map(syncDirectory));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the bytes written, 0 if the object existed. */
async function writeLooseObject(directory: string, object: GitObject): Promise<number> {
  const path = join(directory, object.oid.slice(2));
  if (freshen(path)) return 0;
  const raw = Buffer.concat([Buffer.from(objectHeader(object.type, object.data.length), "latin1"), object.data]);
  const compressed = await compress(raw);
  const temporary = join(directory, temporaryName("tmp_obj_"));
  const file = await openIn(directory, temporary);
  try {
    try {
      await file.write(compressed);
      await file.sync("data");
    } finally {
      file.close();
    }
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  return compressed.length;
}

/** Resets an object's age, so that housekeeping does not remove it before the transaction references it. False if it does not exist. */
function freshen(path: string): boolean {
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Opens a new file, and creates its directory if necessary. */
async function openIn(directory: string, path: string): Promise<NewFile> {
  try {
    return openNewFile(path, 0o444);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    mkdirSync(directory);
  } catch (error) {
    if (!alreadyExists(error)) throw error;
  }
  // Also if another writer created it: a file in it is durable only once the directory's own name is.
  await syncDirectory(join(directory, ".."));
  return openNewFile(path, 0o444);
}

const rememberedBlobBytes = 128 * 1024;

/** Caches a written object: it is likely to be read next. */
export function rememberObject(store: GitStore, { oid, type, data }: GitObject): void {
  const { cache } = store.shared;
  const sizeBytes = data.length;
  cache.set(store.key, "info", oid, { oid, type, sizeBytes }, 120);
  if (type === "commit") cache.set(store.key, "commit", oid, parseCommit(oid, data), sizeBytes * 2 + 500);
  else if (type === "tree") cache.set(store.key, "tree", oid, parseTree(oid, data), sizeBytes * 6 + 500);
  else if (type === "tag") cache.set(store.key, "tag", oid, parseTag(oid, data), sizeBytes * 2 + 500);
  else if (sizeBytes <= rememberedBlobBytes) cache.set(store.key, "blob", oid, data, sizeBytes);
}
