import { createHash } from "node:crypto";
import { readdirSync, renameSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, type NewFile, openNewFile, removeQuietly, syncDirectory, temporaryName } from "../objects/durable-fs.ts";

/** The files of a pack as one sequence of bytes, in which they are stored and sent to other nodes. */

/** Extensions in the order in which readers may find them: `git repack` looks for packs, and fails on one without an index. */
const extensions = [".rev", ".bitmap", ".mtimes", ".idx", ".pack"] as const;

/** A part of the sequence. */
export interface PackPart {
  readonly extension: string;
  readonly sizeBytes: number;
}

/** Packs of unreachable objects have a file with the age of each object. */
export const isOfUnreachable = (parts: readonly PackPart[]): boolean => parts.some(({ extension }) => extension === ".mtimes");

export const sizeOfParts = (parts: readonly PackPart[]): number => parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** @returns undefined for a pack that lacks one of its two main files */
export function findParts(directory: string, name: string): readonly PackPart[] | undefined {
  const parts = extensions.flatMap((extension): PackPart[] => {
    const found = statSync(join(directory, name + extension), { throwIfNoEntry: false });
    return found === undefined ? [] : [{ extension, sizeBytes: found.size }];
  });
  const has = (wanted: string): boolean => parts.some(({ extension }) => extension === wanted);
  return has(".idx") && has(".pack") ? parts : undefined;
}

/** Names of the packs in a directory, without extension; empty if it does not exist. */
export function listPacks(directory: string): readonly string[] {
  try {
    return readdirSync(directory).flatMap((name) => /^(pack-[0-9a-f]+)\.idx$/.exec(name)?.[1] ?? []);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const readBytes = 256 * 1024;

/** Reads the sequence. Each chunk is valid until the next one is requested. */
export async function* readParts(directory: string, name: string, parts: readonly PackPart[]): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, Math.max(1, sizeOfParts(parts))));
  for (const { extension, sizeBytes } of parts) {
    const file = await open(join(directory, name + extension));
    try {
      for (let left = sizeBytes; left > 0; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, left));
        if (bytesRead === 0) throw new Error(`${name}${extension} became shorter`);
        left -= bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }
}

/** A pack whose bytes are not those that were stored. */
export class DamagedPack extends Error {}

export interface StoredPack {
  readonly name: string;
  readonly parts: readonly PackPart[];
  /** SHA-256 of the sequence, as hex. */
  readonly digest: string;
}

/**
 * Writes the files of a pack into a directory, if their bytes are those that were stored. They are durable when it resolves.
 * @throws DamagedPack if they are not; errors of the source unchanged
 */
export async function installPack(directory: string, { name, parts, digest }: StoredPack, source: AsyncIterable<Uint8Array>): Promise<void> {
  const hash = createHash("sha256");
  const temporary = temporaryName("tmp_pack_");
  // Git takes each file with an extension of a pack for a part of one.
  const pathOf = ({ extension }: PackPart): string => join(directory, temporary + extension.replace(".", "_"));
  const files: { readonly file: NewFile; left: number }[] = [];
  const isExpected = parts.every(({ extension }) => (extensions as readonly string[]).includes(extension));
  if (!isExpected) throw new DamagedPack(`${name} has unknown parts`);
  try {
    for (const part of parts) files.push({ file: openNewFile(pathOf(part), 0o444), left: part.sizeBytes });
    let at = 0;
    for await (const chunk of source) {
      hash.update(chunk);
      for (let offset = 0; offset < chunk.length; ) {
        while (files[at]?.left === 0) at += 1;
        const target = files[at];
        if (target === undefined) throw new DamagedPack(`${name} is longer than it was stored`);
        const piece = chunk.subarray(offset, offset + target.left);
        await target.file.write(piece);
        target.left -= piece.length;
        offset += piece.length;
      }
    }
    if (files.some(({ left }) => left > 0)) throw new DamagedPack(`${name} is shorter than it was stored`);
    if (hash.digest("hex") !== digest) throw new DamagedPack(`${name} has other bytes than those that were stored`);
    await Promise.all(files.map(({ file }) => file.sync("data")));
    for (const { file } of files.splice(0)) file.close();
    for (const part of parts) renameSync(pathOf(part), join(directory, name + part.extension));
    await syncDirectory(directory);
  } catch (error) {
    for (const { file } of files) file.close();
    for (const part of parts) removeQuietly(pathOf(part));
    throw error;
  }
}

/** Whether the files of a pack have the stored sizes. */
export const hasParts = (directory: string, { name, parts }: StoredPack): boolean =>
  parts.every(({ extension, sizeBytes }) => statSync(join(directory, name + extension), { throwIfNoEntry: false })?.size === sizeBytes);

/** Removes packs, and the index over several packs with its bitmap: git fails on a bitmap one of whose packs is missing. */
export function removePacks(directory: string, names: readonly string[]): void {
  if (names.length === 0) return;
  for (const file of readdirSync(directory)) if (file.startsWith("multi-pack-index")) removeQuietly(join(directory, file));
  // The pack first: one without an index would stop `git repack`.
  for (const name of names) for (const extension of extensions.toReversed()) removeQuietly(join(directory, name + extension));
}
