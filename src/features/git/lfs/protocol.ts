import { JsonCostError, parseBoundedJson } from "../../../core/bounded-json.ts";
import { invalid, malformed, tooLarge } from "../../../core/errors.ts";
import { isLfsOperation, type LfsOperation, type LfsPointer } from "./model.ts";

/** Parsing of git lfs requests (git-lfs, docs/api). Only the fields that matter are validated strictly. */

export const lfsType = "application/vnd.git-lfs+json";

/** Maximum number of objects per batch; clients send 100. */
const maxObjects = 1_000;

export interface BatchRequest {
  readonly operation: LfsOperation;
  /** In the requested order; an invalid object keeps its place. */
  readonly objects: readonly { readonly oid: string; readonly sizeBytes: number; readonly isValid: boolean }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws ForgeError `malformed`; `too_large` for more values than a request needs */
export async function parseFields(body: Buffer): Promise<Fields> {
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = await parseBoundedJson(body);
  } catch (cause) {
    if (cause instanceof JsonCostError) throw tooLarge("the request body has too many values");
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
  if (digest !== undefined && digest !== "sha256") throw invalid("the only supported hash algorithm is SHA-256");
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
  if (!isOid(oid) || !isSize(size)) throw invalid("an object needs its SHA-256 as oid and its size");
  return { oid, sizeBytes: size };
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The id of a lock; 0, which no lock has, for an invalid id. */
export const readLockId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
