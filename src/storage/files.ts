import { createHash, randomBytes } from "node:crypto";
import { tooLarge } from "../core/errors.ts";

/**
 * Files that are written once and never changed. What comes as a stream is kept under its digest, with a word behind it that tells this copy from
 * every other one of the same content: a name that is given is never given again, so a file that no row names can go without a thought for an upload
 * that is under way (docs/decisions/0037). What is handed over whole has a name that nobody can guess (docs/decisions/0010).
 */
export interface FileStore {
  /** Keeps a file durably. @returns its name: 64 hex digits that nobody can guess */
  put(content: Uint8Array): Promise<string>;
  /**
   * Keeps a file durably as it comes; no more of it is in memory than the source hands out at once, and a chunk has been taken when the next one is asked for.
   * When it does not come to its end nothing is kept.
   * @throws ForgeError `too_large`; whatever the source throws, which is no error of a file system
   */
  receive(source: AsyncIterable<Uint8Array>, limits: { readonly maxBytes: number }): Promise<ReceivedFile>;
  get(name: string): Promise<Buffer | undefined>;
  /** @returns undefined when there is none of this name */
  sizeOf(name: string): Promise<number | undefined>;
  /**
   * A file, or the part of it from `start` to `end`, both included, piece by piece: each is good until the next one is asked for.
   * The first one fails for a file that is not there.
   */
  read(name: string, part?: FilePart): AsyncIterable<Uint8Array>;
  delete(name: string): Promise<void>;
  /**
   * Looks for what was written before `beforeMs`, by the clock of where files are kept, and is not in use; deletes it, and what a killed process left half-written.
   * @param used which of some names are in use
   * @returns how many there are
   */
  sweep(beforeMs: number, used: UsedNames, mode?: SweepMode): Promise<number>;
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
  /** Included. */
  readonly end: number;
}

export type UsedNames = (names: readonly string[]) => Promise<ReadonlySet<string>>;
/** `count` deletes nothing. */
export type SweepMode = "delete" | "count";

/** All of what comes piece by piece. */
export async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const piece of pieces) kept.push(Buffer.from(piece));
  return Buffer.concat(kept);
}

/** A name that nobody can guess. */
export const newName = (): string => randomBytes(32).toString("hex");
/** A name for one more copy of a content. */
export const newCopyName = (digest: string): string => `${digest}-${randomBytes(8).toString("hex")}`;
export const isName = (text: string): boolean => /^[0-9a-f]{64}(?:-[0-9a-f]{16})?$/.test(text);

/** @throws Error for a name that no store has given: no other one reaches where files are kept */
export function requireName(name: string): string {
  if (!isName(name)) throw new Error("a name that this store has not given");
  return name;
}

/** Hands content on while it is measured. */
export interface Measured {
  readonly content: AsyncIterable<Uint8Array>;
  /** What has passed, once all of it has. */
  facts(): Omit<ReceivedFile, "name">;
}

/** @throws ForgeError `too_large` within the content, as soon as it is */
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
  return { content: content(), facts: () => ({ sizeBytes, digest: hash.digest("hex") }) };
}
