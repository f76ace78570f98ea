import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { hashObject, oidBytes } from "../objects/hash.ts";
import type { GitObject, ObjectFormat, ObjectType, Oid } from "../types.ts";

/** Packs up to this size are parsed in memory, in about a millisecond; starting a process costs several. */
export const smallPackBytes = 128 * 1024;
export const smallPackObjects = 200;
/** Maximum total size of the inflated objects. */
const maxContentBytes = 2 * 1024 * 1024;

const types: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const offsetDelta = 6;
const referenceDelta = 7;
const headerBytes = 12;

/** Reads the base object of a delta that is not in the pack; undefined if it is not available. */
export type ReadBase = (oid: Oid) => Promise<GitObject | undefined>;

/**
 * The objects of a complete small pack (gitformat-pack), with ids computed from their contents.
 * @returns undefined if it is not small, not complete, or unusual: then git reads it
 */
export async function readSmallPack(pack: Buffer, format: ObjectFormat, readBase: ReadBase): Promise<readonly GitObject[] | undefined> {
  if (pack.length > smallPackBytes || pack.length < headerBytes + oidBytes(format) || pack.readUInt32BE(8) > smallPackObjects) return undefined;
  const body = pack.subarray(0, -oidBytes(format));
  if (!createHash(format).update(body).digest().equals(pack.subarray(body.length))) return undefined;
  try {
    return await takeApart(body, format, readBase);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** Errors thrown when reading past the end, and by zlib. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof RangeError || code.startsWith("Z_");
}

interface Content {
  readonly type: ObjectType;
  readonly data: Buffer;
}

async function takeApart(body: Buffer, format: ObjectFormat, readBase: ReadBase): Promise<readonly GitObject[] | undefined> {
  const count = body.readUInt32BE(8);
  const byOffset = new Map<number, Content>();
  const byOid = new Map<Oid, GitObject>();
  let left = maxContentBytes;
  let at = headerBytes;
  for (let index = 0; index < count; index++) {
    const entry = readEntry(body, at, left, format);
    if (entry === undefined) return undefined;
    let content: Content;
    if ("content" in entry) content = entry.content;
    else {
      left -= entry.delta.length;
      const base = typeof entry.base === "number" ? byOffset.get(entry.base) : (byOid.get(entry.base) ?? (await readBase(entry.base)));
      const data = base && applyDelta(base.data, entry.delta, left);
      if (base === undefined || data === undefined) return undefined;
      content = { type: base.type, data };
    }
    left -= content.data.length;
    const object = { oid: hashObject(format, content.type, content.data), ...content };
    byOffset.set(at, object);
    byOid.set(object.oid, object);
    at = entry.end;
  }
  return at === body.length && byOid.size === count ? [...byOid.values()] : undefined;
}

/** A delta's base: its offset in the pack, or its id. */
type Entry = { readonly end: number } & ({ readonly content: Content } | { readonly delta: Buffer; readonly base: number | Oid });

/** Throws RangeError if the pack ends early, and zlib's errors. */
function readEntry(body: Buffer, offset: number, maxBytes: number, format: ObjectFormat): Entry | undefined {
  let at = offset;
  let byte = body.readUInt8(at++);
  const typeNumber = (byte >> 4) & 7;
  let sizeBytes = byte & 15;
  for (let factor = 16; byte & 128; factor *= 128) {
    byte = body.readUInt8(at++);
    sizeBytes += (byte & 127) * factor;
  }
  if (sizeBytes > maxBytes) return undefined;
  let base: number | Oid | undefined;
  if (typeNumber === offsetDelta) {
    byte = body.readUInt8(at++);
    let distance = byte & 127;
    while (byte & 128) {
      byte = body.readUInt8(at++);
      distance = (distance + 1) * 128 + (byte & 127);
    }
    base = offset - distance;
  } else if (typeNumber === referenceDelta) {
    base = body.toString("hex", at, at + oidBytes(format));
    at += oidBytes(format);
  }
  const { data, usedBytes } = unfold(body.subarray(at), sizeBytes);
  if (data.length !== sizeBytes) return undefined;
  const end = at + usedBytes;
  if (base !== undefined) return { delta: data, base, end };
  const type = types[typeNumber];
  return type === undefined ? undefined : { content: { type, data }, end };
}

/** Result of zlib's `info` option, which the type definitions lack. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Inflates one zlib stream at the start of a buffer. Throws RangeError if the output exceeds the announced size. */
function unfold(from: Buffer, sizeBytes: number): { readonly data: Buffer; readonly usedBytes: number } {
  // One byte more than announced: a stream of the exact size still has to be read to its checksum.
  const options = { info: true, chunkSize: Math.max(64, sizeBytes + 1), maxOutputLength: sizeBytes + 1 };
  const { buffer, engine } = inflateSync(from, options) as unknown as Inflated;
  return { data: buffer, usedBytes: engine.bytesWritten };
}

/**
 * A delta: sizes of base and result, then chunks copied from the base or contained in the delta.
 * @returns undefined if it does not fit its base, or the result is too large
 */
function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer | undefined {
  let at = 0;
  const size = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = delta.readUInt8(at++);
      value += (byte & 127) * factor;
      if (!(byte & 128)) return value;
    }
  };
  const baseBytes = size();
  const sizeBytes = size();
  if (baseBytes !== base.length || sizeBytes > maxBytes) return undefined;
  const made = Buffer.alloc(sizeBytes);
  let done = 0;
  while (at < delta.length) {
    const code = delta.readUInt8(at++);
    let chunk: Buffer;
    if (code & 128) {
      let from = 0;
      let length = 0;
      for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) from += delta.readUInt8(at++) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit++) if (code & (16 << bit)) length += delta.readUInt8(at++) * 2 ** (8 * bit);
      if (length === 0) length = 0x10000;
      if (from + length > base.length) return undefined;
      chunk = base.subarray(from, from + length);
    } else {
      if (code === 0 || at + code > delta.length) return undefined;
      chunk = delta.subarray(at, at + code);
      at += code;
    }
    if (done + chunk.length > sizeBytes) return undefined;
    chunk.copy(made, done);
    done += chunk.length;
  }
  return done === sizeBytes ? made : undefined;
}
