import { createHash } from "node:crypto";
import { findParts, readParts, sizeOfParts } from "../../../../git/receive/pack-parts.ts";
import type { FileStore } from "../../../../storage/files.ts";
import type { NewPack } from "../store/packs.ts";

/** Larger packs are objects in the bucket. */
const inlineBytes = 64 * 1024;

/** Reads a small pack from a directory, and stores a larger one in the bucket. Throws errors of the file system and the bucket unchanged. */
export async function readNewPack(files: FileStore, directory: string, name: string): Promise<NewPack> {
  const parts = findParts(directory, name);
  if (parts === undefined) throw new Error(`${name} was removed before it was published`);
  const sizeBytes = sizeOfParts(parts);
  if (sizeBytes > inlineBytes) {
    const { name: file, digest } = await files.receive(readParts(directory, name, parts), { maxBytes: sizeBytes });
    return { name, parts, digest, file, content: undefined };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of readParts(directory, name, parts)) chunks.push(Buffer.from(chunk));
  const content = Buffer.concat(chunks);
  return { name, parts, digest: createHash("sha256").update(content).digest("hex"), file: undefined, content };
}
