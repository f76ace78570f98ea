import { invalid, malformed } from "../../../core/errors.ts";
import { isLfsOperation, type LfsOperation, type LfsPointer } from "./model.ts";

/** What clients of git lfs send (git-lfs, docs/api), read strictly where it matters and generously where it does not. */

export const lfsType = "application/vnd.git-lfs+json";

/** A batch asks for so many objects at most; clients ask for 100. */
const maxObjects = 1_000;

export interface BatchRequest {
  readonly operation: LfsOperation;
  /** As they were asked for; undefined stands for one that is no object's name. */
  readonly objects: readonly { readonly oid: string; readonly sizeBytes: number; readonly isValid: boolean }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws ForgeError `malformed` */
export function parseFields(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text === "" ? "{}" : text);
  } catch (cause) {
    throw malformed("Bad Request", { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("Bad Request");
  return value as Fields;
}

export const isOid = (text: unknown): text is string => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** @throws ForgeError `malformed`; `invalid` for another digest than SHA-256 */
export function readBatch({ operation, objects, hash_algo: digest }: Fields): BatchRequest {
  if (!isLfsOperation(operation) || !Array.isArray(objects) || objects.length > maxObjects) throw malformed("Bad Request");
  if (digest !== undefined && digest !== "sha256") throw invalid("objects are named by SHA-256 here");
  return {
    operation,
    objects: objects.map((object: unknown) => {
      const { oid, size } = (typeof object === "object" && object !== null ? object : {}) as Fields;
      return { oid: typeof oid === "string" ? oid.slice(0, 100) : "", sizeBytes: isSize(size) ? size : 0, isValid: isOid(oid) && isSize(size) };
    }),
  };
}

/** @throws ForgeError `invalid` */
export function readPointer({ oid, size }: { readonly oid?: unknown; readonly size?: unknown }): LfsPointer {
  if (!isOid(oid) || !isSize(size)) throw invalid("an object is named by its SHA-256 and its size");
  return { oid, sizeBytes: size };
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** An id as locks have it; 0, which none has, for any other text. */
export const readLockId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
