import { createHash } from "node:crypto";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { crc32, createDeflate, deflate, deflateSync } from "node:zlib";
import type { GitStore } from "../stores.ts";
import type { GitObject, ObjectFormat, ObjectType } from "../types.ts";
import { createFile, openNewFile, removeQuietly, syncDirectory, temporaryName } from "./durable-fs.ts";
import { updateInTurns } from "./hash.ts";

/**
 * Writes many new objects as one pack with its index (gitformat-pack, version 2 of both). Objects are stored whole; housekeeping adds
 * deltas.
 */

const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
/** Objects compressed per event loop turn. */
const batchSize = 64;
/** Entries are collected into chunks of this size before they are written. */
const writeBytes = 1024 * 1024;

interface PackedEntry {
  readonly oid: Buffer;
  readonly offset: number;
  readonly crc: number;
}

/** A checksum of this much takes about a millisecond. */
const turnBytes = 1024 * 1024;

/** The checksum of tens of megabytes, with turns of the event loop between. */
async function crcInTurns(data: Buffer, before: number): Promise<number> {
  let crc = before;
  for (let start = 0; start < data.length; start += turnBytes) {
    if (start > 0) await setImmediate();
    crc = crc32(data.subarray(start, start + turnBytes), crc);
  }
  return crc;
}

/** Writes the pack durably; readers see it once both its names exist. Returns its name and the bytes written. Throws file system errors unchanged. */
export async function writePack(store: GitStore, objects: readonly GitObject[]): Promise<{ readonly name: string; readonly sizeBytes: number }> {
  const directory = join(store.objectsPath, "pack");
  const temporary = join(directory, temporaryName("tmp_pack_"));
  const temporaryIndex = join(directory, temporaryName("tmp_idx_"));
  try {
    const pack = await writeEntries(temporary, store.format, objects);
    const index = formatIndex(store.format, pack.entries, pack.checksum);
    await createFile(temporaryIndex, index, 0o444);
    const name = packName(pack.checksum);
    // The pack last: `git repack` looks for packs, and fails on one whose index does not exist yet.
    renameSync(temporaryIndex, join(directory, `${name}.idx`));
    renameSync(temporary, join(directory, `${name}.pack`));
    await syncDirectory(directory);
    return { name, sizeBytes: pack.sizeBytes + index.length };
  } catch (error) {
    removeQuietly(temporary);
    removeQuietly(temporaryIndex);
    throw error;
  }
}

/** A pack in memory, for a few small objects. */
export interface WholePack {
  /** Base name of its files, without extension. */
  readonly name: string;
  readonly content: Buffer;
  readonly index: Buffer;
}

export async function packIn(format: ObjectFormat, objects: readonly GitObject[]): Promise<WholePack> {
  const chunks: Buffer[] = [];
  const { entries, checksum } = await composePack(format, objects, async (chunk) => void chunks.push(chunk));
  return { name: packName(checksum), content: Buffer.concat(chunks), index: formatIndex(format, entries, checksum) };
}

const packName = (checksum: Buffer): string => `pack-${checksum.toString("hex")}`;

async function writeEntries(path: string, format: ObjectFormat, objects: readonly GitObject[]): Promise<ComposedPack> {
  const file = openNewFile(path, 0o444);
  try {
    const composed = await composePack(format, objects, (chunk) => file.write(chunk));
    await file.sync("data");
    return composed;
  } finally {
    file.close();
  }
}

interface ComposedPack {
  readonly entries: readonly PackedEntry[];
  readonly checksum: Buffer;
  readonly sizeBytes: number;
}

/** @param write receives the pack in consecutive chunks */
async function composePack(format: ObjectFormat, objects: readonly GitObject[], write: (chunk: Buffer) => Promise<void>): Promise<ComposedPack> {
  const hash = createHash(format);
  const entries: PackedEntry[] = [];
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(objects.length, 8);
  hash.update(header);
  let unwritten: Buffer[] = [header];
  let unwrittenBytes = header.length;
  let offset = header.length;
  for (let start = 0; start < objects.length; start += batchSize) {
    const batch = objects.slice(start, start + batchSize);
    for (const { oid, header, content } of await Promise.all(batch.map(packEntry))) {
      let crc = crc32(header);
      hash.update(header);
      unwritten.push(header);
      unwrittenBytes += header.length;
      for (const chunk of content) {
        if (chunk !== content[0]) await setImmediate();
        await updateInTurns(hash, chunk);
        crc = await crcInTurns(chunk, crc);
        unwritten.push(chunk);
        unwrittenBytes += chunk.length;
        if (chunk.length < writeBytes) continue;
        await write(Buffer.concat(unwritten.slice(0, -1)));
        await write(chunk);
        unwritten = [];
        unwrittenBytes = 0;
      }
      entries.push({ oid, offset, crc });
      offset += content.reduce((sum, { length }) => sum + length, header.length);
    }
    if (start + batchSize < objects.length) await setImmediate();
    if (unwrittenBytes < writeBytes) continue;
    await write(Buffer.concat(unwritten));
    unwritten = [];
    unwrittenBytes = 0;
  }
  const checksum = hash.digest();
  await write(Buffer.concat([...unwritten, checksum]));
  return { entries, checksum, sizeBytes: offset + checksum.length };
}

/** Type and size (four bits, then seven per byte), before the compressed content. */
async function packEntry({ oid, type, data }: GitObject): Promise<{ readonly oid: Buffer; readonly header: Buffer; readonly content: readonly Buffer[] }> {
  let rest = data.length;
  let byte = (typeNumbers[type] << 4) | (rest & 0x0f);
  rest = Math.floor(rest / 16);
  const header: number[] = [];
  while (rest > 0) {
    header.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  header.push(byte);
  return { oid: Buffer.from(oid, "hex"), header: Buffer.from(header), content: await compressInChunks(data) };
}

const largeOffset = 0x80000000;

function formatIndex(format: ObjectFormat, packed: readonly PackedEntry[], packChecksum: Buffer): Buffer {
  const entries = [...packed].sort((a, b) => Buffer.compare(a.oid, b.oid));
  const fanout = Buffer.alloc(256 * 4);
  let upTo = 0;
  for (let first = 0; first < 256; first += 1) {
    while (entries[upTo]?.oid[0] === first) upTo += 1;
    fanout.writeUInt32BE(upTo, first * 4);
  }
  const crcs = Buffer.alloc(entries.length * 4);
  const offsets = Buffer.alloc(entries.length * 4);
  const large: Buffer[] = [];
  for (const [index, { crc, offset }] of entries.entries()) {
    crcs.writeUInt32BE(crc, index * 4);
    if (offset < largeOffset) offsets.writeUInt32BE(offset, index * 4);
    else {
      offsets.writeUInt32BE(largeOffset + large.length, index * 4);
      const wide = Buffer.alloc(8);
      wide.writeBigUInt64BE(BigInt(offset));
      large.push(wide);
    }
  }
  const body = Buffer.concat([Buffer.from("\xfftOc\0\0\0\x02", "latin1"), fanout, ...entries.map((entry) => entry.oid), crcs, offsets, ...large, packChecksum]);
  return Buffer.concat([body, createHash(format).update(body).digest()]);
}

/** Fast rather than small, as git does for loose objects: housekeeping recompresses them. */
const options = { level: 1 } as const;
/** Below this size the thread pool costs more than the work itself. */
const inlineBytes = 16 * 1024;
/** Above this size the result is not joined: a buffer of 50 MB takes 80 ms. */
const joinedBytes = 4 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const deflateInPool = promisify<Uint8Array, typeof options, Buffer>(deflate);

/** Compresses content with zlib, outside the event loop if it is large. */
async function compress(content: Uint8Array): Promise<Buffer> {
  return content.length <= inlineBytes ? deflateSync(content, options) : deflateInPool(content, options);
}

/** The same in chunks, for content of any size. */
async function compressInChunks(content: Uint8Array): Promise<readonly Buffer[]> {
  if (content.length <= joinedBytes) return [await compress(content)];
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.from(slicesOf(content)).pipe(createDeflate({ ...options, chunkSize: chunkBytes }))) chunks.push(chunk);
  return chunks;
}

function* slicesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.length; start += chunkBytes) yield content.subarray(start, start + chunkBytes);
}
