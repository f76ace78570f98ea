import { createHash, type Hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { GitObject, ObjectFormat, ObjectType, Oid } from "../types.ts";

/** Bytes of a raw id. */
export function oidBytes(format: ObjectFormat): number {
  return format === "sha1" ? 20 : 32;
}

export function formatOfOid(oid: Oid): ObjectFormat {
  return oid.length === 64 ? "sha256" : "sha1";
}

/** The all-zero id: the old side of a creation, the new side of a deletion. */
export function zeroOid(format: ObjectFormat): Oid {
  return "0".repeat(oidBytes(format) * 2);
}

/** Header that git hashes and compresses before the content: `blob 12\0`. */
export function objectHeader(type: ObjectType, sizeBytes: number): string {
  return `${type} ${sizeBytes}\0`;
}

export function hashObject(format: ObjectFormat, type: ObjectType, data: Uint8Array): Oid {
  return createHash(format).update(objectHeader(type, data.length)).update(data).digest("hex");
}

/** Hashing this much takes about 10 ms. */
const turnBytes = 8 * 1024 * 1024;

/** Hashes tens of megabytes with turns of the event loop between. */
export async function updateInTurns(hash: Hash, data: Uint8Array): Promise<void> {
  for (let start = 0; start < data.length; start += turnBytes) {
    if (start > 0) await setImmediate();
    hash.update(data.subarray(start, start + turnBytes));
  }
}

/** A new blob of any size, as `newBlob` creates it. */
export async function newBlobInTurns(format: ObjectFormat, data: Buffer): Promise<GitObject> {
  const hash = createHash(format).update(objectHeader("blob", data.length));
  await updateInTurns(hash, data);
  return { oid: hash.digest("hex"), type: "blob", data };
}

export function newObject(format: ObjectFormat, type: ObjectType, data: Buffer): GitObject {
  return { oid: hashObject(format, type, data), type, data };
}

export function emptyTreeOid(format: ObjectFormat): Oid {
  return hashObject(format, "tree", new Uint8Array());
}
