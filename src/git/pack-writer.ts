import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { createFile, ensureDirectory, syncDirectory, temporaryName } from "./durable-fs.ts";
import type { GitStore } from "./stores.ts";
import type { GitObject, ObjectFormat, ObjectType } from "./types.ts";

/** Many new objects as one pack with its index (gitformat-pack, version 2 of both). Objects stand whole in it, without deltas: housekeeping finds those. */

const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const compression = { level: 1 } as const;
const deflateInPool = promisify<Buffer, typeof compression, Buffer>(deflate);
/** Objects compressed at once. */
const batchSize = 16;

interface PackedEntry {
  readonly oid: Buffer;
  readonly offset: number;
  readonly crc: number;
}

/** Writes the pack durably; its index comes last and makes it visible. Returns the bytes written. Throws what the file system throws. */
export async function writePack(store: GitStore, objects: readonly GitObject[]): Promise<number> {
  const directory = join(store.objectsPath, "pack");
  await ensureDirectory(directory);
  const temporary = join(directory, temporaryName("tmp_pack_"));
  const temporaryIndex = join(directory, temporaryName("tmp_idx_"));
  try {
    const pack = await writeEntries(temporary, store.format, objects);
    const index = formatIndex(store.format, pack.entries, pack.checksum);
    await createFile(temporaryIndex, index, 0o444);
    const name = join(directory, `pack-${pack.checksum.toString("hex")}`);
    await rename(temporary, `${name}.pack`);
    await rename(temporaryIndex, `${name}.idx`);
    await syncDirectory(directory);
    return pack.sizeBytes + index.length;
  } catch (error) {
    await Promise.allSettled([rm(temporary, { force: true }), rm(temporaryIndex, { force: true })]);
    throw error;
  }
}

async function writeEntries(path: string, format: ObjectFormat, objects: readonly GitObject[]) {
  const file = await open(path, "wx", 0o444);
  try {
    const hash = createHash(format);
    const entries: PackedEntry[] = [];
    const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
    header.writeUInt32BE(objects.length, 8);
    let offset = await append(file, hash, [header]);
    for (let start = 0; start < objects.length; start += batchSize) {
      const batch = objects.slice(start, start + batchSize);
      const packed = await Promise.all(batch.map(packEntry));
      for (const [index, bytes] of packed.entries()) {
        const object = batch[index];
        if (object === undefined) continue;
        entries.push({ oid: Buffer.from(object.oid, "hex"), offset, crc: crc32(bytes) });
        offset += bytes.length;
      }
      await append(file, hash, packed);
    }
    const checksum = hash.digest();
    await file.writeFile(checksum);
    await file.datasync();
    return { entries, checksum, sizeBytes: offset + checksum.length };
  } finally {
    await file.close();
  }
}

async function append(file: FileHandle, hash: ReturnType<typeof createHash>, parts: readonly Buffer[]): Promise<number> {
  const bytes = Buffer.concat(parts);
  hash.update(bytes);
  await file.writeFile(bytes);
  return bytes.length;
}

/** Type and size, four bits and then seven in a byte, before the compressed content. */
async function packEntry(object: GitObject): Promise<Buffer> {
  let rest = object.data.length;
  let byte = (typeNumbers[object.type] << 4) | (rest & 0x0f);
  rest = Math.floor(rest / 16);
  const header: number[] = [];
  while (rest > 0) {
    header.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  header.push(byte);
  return Buffer.concat([Buffer.from(header), await deflateInPool(object.data, compression)]);
}

const largeOffset = 0x80000000;

function formatIndex(format: ObjectFormat, packed: readonly PackedEntry[], packChecksum: Buffer): Buffer {
  const entries = [...packed].sort((a, b) => Buffer.compare(a.oid, b.oid));
  const fanout = Buffer.alloc(256 * 4);
  for (const { oid } of entries) {
    const at = (oid[0] ?? 0) * 4;
    fanout.writeUInt32BE(fanout.readUInt32BE(at) + 1, at);
  }
  for (let at = 4; at < fanout.length; at += 4) fanout.writeUInt32BE(fanout.readUInt32BE(at) + fanout.readUInt32BE(at - 4), at);
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
