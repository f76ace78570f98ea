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

/** What the store says about a bundle that it has taken. The transaction that points to the objects records it. */
export interface WriteReceipt {
  /** Bytes that the store grew by. */
  readonly sizeBytes: number;
  /** The disk shows the refs that the transaction makes: nobody needs to project them. Told of stores that are new with it. */
  readonly showsRefs?: boolean;
}

/**
 * From here on one pack costs less than a file for each object: a pack takes three syncs, a loose object two each.
 * Packs are as many as there are pushes anyway, and housekeeping joins them.
 */
const packThreshold = 2;

/**
 * Makes a bundle of objects durable: after it resolves they survive a power cut, and a transaction may point to them. Nothing points to
 * them yet, so a crash in the middle leaves garbage that housekeeping removes. What is there already is kept and counted as young.
 * @throws ForgeError `unavailable` when the storage refuses; no object is half visible then
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
 * Makes a store with its first objects and the refs that are to point to them, all in one step and with one round of syncs, as durable as
 * {@link writeObjects} does it. Whoever fails afterwards to make the refs in the database leaves a store that nobody knows.
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
  // Also where nothing was written: whoever wrote it may not have come this far.
  await settleAll([...directories].map(syncDirectory));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the bytes written, 0 when it was there. */
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

/** Counts an object as new, so that housekeeping does not take it before the transaction points to it. False when it is not there. */
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

/** Opens a new file, making its directory when it is missing. */
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
  // Also when another writer made it: what stands in it is durable only if its own name is.
  await syncDirectory(join(directory, ".."));
  return openNewFile(path, 0o444);
}

const rememberedBlobBytes = 128 * 1024;

/** What was just written is what is read next. */
export function rememberObject(store: GitStore, { oid, type, data }: GitObject): void {
  const { cache } = store.shared;
  const sizeBytes = data.length;
  cache.set(store.key, "info", oid, { oid, type, sizeBytes }, 120);
  if (type === "commit") cache.set(store.key, "commit", oid, parseCommit(oid, data), sizeBytes * 2 + 500);
  else if (type === "tree") cache.set(store.key, "tree", oid, parseTree(oid, data), sizeBytes * 6 + 500);
  else if (type === "tag") cache.set(store.key, "tag", oid, parseTag(oid, data), sizeBytes * 2 + 500);
  else if (sizeBytes <= rememberedBlobBytes) cache.set(store.key, "blob", oid, data, sizeBytes);
}
