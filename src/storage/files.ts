import { createHash, randomBytes } from "node:crypto";
import { tooLarge } from "../core/errors.ts";

/**
 * Immutable files. A streamed file is named by its digest and a suffix that distinguishes this copy from others of the same content. Names
 * are never reused, so an unreferenced file can be deleted without considering uploads in progress (docs/decisions/0039). A file passed as
 * a whole gets an unguessable name (docs/decisions/0010).
 */
export interface FileStore {
  /** Stores a file durably. @returns its name: 64 unguessable hex digits */
  put(content: Uint8Array): Promise<string>;
  /**
   * Stores a streamed file durably. Only the current chunk is in memory, and it has been consumed when the next one is requested.
   * If the source fails, no file is kept.
   * @throws ForgeError `too_large`; errors of the source unchanged
   */
  receive(source: AsyncIterable<Uint8Array>, limits: { readonly maxBytes: number }): Promise<ReceivedFile>;
  get(name: string): Promise<Buffer | undefined>;
  /** @returns undefined if there is no file of this name */
  sizeOf(name: string): Promise<number | undefined>;
  /**
   * Streams a file, or its range from `start` to `end` (inclusive). Each chunk is valid until the next one is requested.
   * The first request fails if the file does not exist.
   */
  read(name: string, part?: FilePart): AsyncIterable<Uint8Array>;
  delete(name: string): Promise<void>;
  /** All files with their sizes. */
  list(): AsyncIterable<StoredName>;
  /**
   * Finds unused files written before `beforeMs`, by the storage's clock. Deletes them, and incomplete files of killed processes.
   * @param used returns which of some names are in use
   * @returns the number of unused files
   */
  sweep(beforeMs: number, used: UsedNames, mode?: SweepMode): Promise<number>;
}

export interface StoredName {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface ReceivedFile {
  /** Begins with the digest. */
  readonly name: string;
  readonly sizeBytes: number;
  /** SHA-256, as hex. */
  readonly digest: string;
}

export interface FilePart {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

export type UsedNames = (names: readonly string[]) => Promise<ReadonlySet<string>>;
/** `count` deletes no files. */
export type SweepMode = "delete" | "count";

/** Concatenates all chunks. */
export async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const chunk of chunks) kept.push(Buffer.from(chunk));
  return Buffer.concat(kept);
}

/** An unguessable name. */
export const newName = (): string => randomBytes(32).toString("hex");
/** A name for another copy of the same content. */
export const newCopyName = (digest: string): string => `${digest}-${randomBytes(8).toString("hex")}`;
export const isName = (text: string): boolean => /^[0-9a-f]{64}(?:-[0-9a-f]{16})?$/.test(text);

/** @throws Error for a name that was not created by a store: no other name reaches the storage */
export function requireName(name: string): string {
  if (!isName(name)) throw new Error("not a name from this store");
  return name;
}

/** Passes content through while measuring it. */
export interface Measured {
  readonly content: AsyncIterable<Uint8Array>;
  /** Size and digest, once the content has been read to its end. */
  received(): Omit<ReceivedFile, "name">;
}

/** @throws ForgeError `too_large` while streaming, as soon as the limit is exceeded */
export function measure(source: AsyncIterable<Uint8Array>, maxBytes: number): Measured {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const content = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(`the file is larger than the ${maxBytes} bytes taken here`);
      hash.update(chunk);
      yield chunk;
    }
  };
  return { content: content(), received: () => ({ sizeBytes, digest: hash.digest("hex") }) };
}
