import { createHash } from "node:crypto";
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

export function newObject(format: ObjectFormat, type: ObjectType, data: Buffer): GitObject {
  return { oid: hashObject(format, type, data), type, data };
}

export function emptyTreeOid(format: ObjectFormat): Oid {
  return hashObject(format, "tree", new Uint8Array());
}
