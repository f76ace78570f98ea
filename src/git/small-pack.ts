import { readFile, stat } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { oidBytes } from "./hash.ts";
import type { GitObject, ObjectFormat, ObjectType, Oid } from "./types.ts";

/** Packs up to here are taken apart in memory, in about a millisecond: a process that reads them costs several. */
const maxPackBytes = 128 * 1024;
const maxObjects = 200;
/** What all objects together may unfold to. */
const maxContentBytes = 2 * 1024 * 1024;

const types: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const offsetDelta = 6;
const referenceDelta = 7;

/**
 * The objects of a small pack that git has checked and indexed, with nothing in it that stands on objects outside (gitformat-pack).
 * @param path without `.pack` and `.idx`
 * @returns undefined when it is not small: then it is read through git
 */
export async function readSmallPack(path: string, format: ObjectFormat): Promise<readonly GitObject[] | undefined> {
  if ((await stat(`${path}.pack`)).size > maxPackBytes) return undefined;
  const [pack, index] = await Promise.all([readFile(`${path}.pack`), readFile(`${path}.idx`)]);
  const places = readIndex(index, format);
  return places.length > maxObjects ? undefined : takeApart(pack, places, format);
}

interface Place {
  readonly oid: Oid;
  readonly offset: number;
}

/** Version 2 of the index: a magic and the version, how many ids begin with each byte or less, the ids, their checksums, their offsets. */
function readIndex(index: Buffer, format: ObjectFormat): Place[] {
  const hashBytes = oidBytes(format);
  const idsAt = 8 + 256 * 4;
  const count = index.readUInt32BE(idsAt - 4);
  const offsetsAt = idsAt + count * (hashBytes + 4);
  return Array.from({ length: count }, (_, at) => ({
    oid: index.toString("hex", idsAt + at * hashBytes, idsAt + (at + 1) * hashBytes),
    offset: index.readUInt32BE(offsetsAt + at * 4),
  }));
}

interface Entry {
  readonly type: number;
  /** Of the content, or of the delta that makes it. */
  readonly sizeBytes: number;
  /** Where the delta's base begins in the pack. */
  readonly baseOffset: number | undefined;
  readonly compressed: Buffer;
}

function takeApart(pack: Buffer, places: readonly Place[], format: ObjectFormat): readonly GitObject[] | undefined {
  const sorted = [...places].sort((a, b) => a.offset - b.offset);
  const offsets = new Map(places.map(({ oid, offset }) => [oid, offset]));
  const entries = new Map<number, Entry>();
  for (const [at, { offset }] of sorted.entries()) {
    entries.set(offset, readEntry(pack, offset, sorted[at + 1]?.offset ?? pack.length - oidBytes(format), offsets, format));
  }
  let left = maxContentBytes;
  const contents = new Map<number, { readonly type: ObjectType; readonly data: Buffer } | undefined>();
  const contentAt = (offset: number): { readonly type: ObjectType; readonly data: Buffer } | undefined => {
    if (contents.has(offset)) return contents.get(offset);
    const content = unfold(offset);
    contents.set(offset, content);
    return content;
  };
  const unfold = (offset: number) => {
    const entry = entries.get(offset);
    if (entry === undefined || entry.sizeBytes > left) return undefined;
    left -= entry.sizeBytes;
    const data = entry.sizeBytes === 0 ? Buffer.alloc(0) : inflateSync(entry.compressed, { maxOutputLength: entry.sizeBytes });
    const type = types[entry.type];
    if (type !== undefined) return { type, data };
    const base = entry.baseOffset === undefined ? undefined : contentAt(entry.baseOffset);
    if (base === undefined) return undefined;
    const made = applyDelta(base.data, data, left);
    if (made === undefined) return undefined;
    left -= made.length;
    return { type: base.type, data: made };
  };
  const objects: GitObject[] = [];
  for (const { oid, offset } of places) {
    const content = contentAt(offset);
    if (content === undefined) return undefined;
    objects.push({ oid, ...content });
  }
  return objects;
}

function readEntry(pack: Buffer, offset: number, end: number, offsets: ReadonlyMap<Oid, number>, format: ObjectFormat): Entry {
  let at = offset;
  let byte = pack.readUInt8(at++);
  const type = (byte >> 4) & 7;
  let sizeBytes = byte & 15;
  for (let factor = 16; byte & 128; factor *= 128) {
    byte = pack.readUInt8(at++);
    sizeBytes += (byte & 127) * factor;
  }
  let baseOffset: number | undefined;
  if (type === offsetDelta) {
    byte = pack.readUInt8(at++);
    let distance = byte & 127;
    while (byte & 128) {
      byte = pack.readUInt8(at++);
      distance = (distance + 1) * 128 + (byte & 127);
    }
    baseOffset = offset - distance;
  } else if (type === referenceDelta) {
    baseOffset = offsets.get(pack.toString("hex", at, at + oidBytes(format)));
    at += oidBytes(format);
  }
  return { type, sizeBytes, baseOffset, compressed: pack.subarray(at, end) };
}

/** A delta: the sizes of base and result, then pieces that are copied from the base or stand in the delta itself. */
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
  size();
  const sizeBytes = size();
  if (sizeBytes > maxBytes) return undefined;
  const made = Buffer.alloc(sizeBytes);
  for (let done = 0; at < delta.length; ) {
    const code = delta.readUInt8(at++);
    if (code & 128) {
      let from = 0;
      let length = 0;
      for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) from += delta.readUInt8(at++) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit++) if (code & (16 << bit)) length += delta.readUInt8(at++) * 2 ** (8 * bit);
      done += base.copy(made, done, from, from + (length === 0 ? 0x10000 : length));
    } else {
      done += delta.copy(made, done, at, at + code);
      at += code;
    }
  }
  return made;
}
