import { join } from "node:path";
import { formatPackedRefs, headContent, type RefProjection } from "../send/packed-refs.ts";
import { type GitStore, initialHead, materialize } from "../stores.ts";
import type { GitObject } from "../types.ts";
import { createFile, onStorage, syncDirectory } from "./durable-fs.ts";
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
 * Makes objects durable: once it resolves they survive a power cut, and a transaction may reference them. Until then they are unreferenced,
 * so a crash leaves garbage that housekeeping removes.
 *
 * A single object becomes a pack, too. If it were a loose object, housekeeping would replace its name in one directory by a name in another
 * one, and a power cut could lose the new name alone: file systems order only the changes of one directory.
 * @throws ForgeError `unavailable` if the storage fails; objects are never partially visible
 */
export async function writeObjects(store: GitStore, objects: readonly GitObject[]): Promise<WriteReceipt> {
  const unique = withoutRepeats(objects);
  if (unique.length === 0) return { sizeBytes: 0 };
  await materialize(store);
  const { name, sizeBytes } = await onStorage(() => writePack(store, unique));
  await store.shared.packs.publish(store, [name]);
  for (const object of unique) rememberObject(store, object);
  return { sizeBytes };
}

const withoutRepeats = (objects: readonly GitObject[]): GitObject[] => [...new Map(objects.map((object) => [object.oid, object])).values()];

/**
 * Creates a store with its first objects and refs, in one step and with one round of syncs, as durable as {@link writeObjects}.
 * If the caller then fails to create the refs in the database, the store remains unreferenced.
 */
export async function writeFirstObjects(store: GitStore, objects: readonly GitObject[], { headRef, slices }: RefProjection): Promise<WriteReceipt> {
  const unique = withoutRepeats(objects);
  const pack = await packIn(store.format, unique);
  const isMade = await materialize(store, async (path) => {
    const inPacks = join(path, "objects", "pack");
    const files = [
      ...(headRef === initialHead ? [] : [createFile(join(path, "HEAD"), headContent(headRef))]),
      createFile(join(path, "packed-refs"), formatPackedRefs(slices)),
      createFile(join(inPacks, `${pack.name}.pack`), pack.content, 0o444),
      createFile(join(inPacks, `${pack.name}.idx`), pack.index, 0o444),
    ];
    return [...files, syncDirectory(inPacks)];
  });
  if (!isMade) return writeObjects(store, unique);
  await store.shared.packs.publish(store, [pack.name]);
  for (const object of unique) rememberObject(store, object);
  return { sizeBytes: pack.content.length + pack.index.length, showsRefs: true };
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
