import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CopiedRow } from "../../db/row-source.ts";
import { isMissing } from "../../git/objects/durable-fs.ts";
import type { FileStore } from "../../storage/files.ts";
import type { ObjectWriter } from "./store.ts";

/** A file of a backup as a row: path, size, and its content. */
export const fileColumns = ["path", "size", "content"] as const;
export type FileRow = readonly [path: string, sizeBytes: number, content: string];

/** Large files consist of pieces, so that memory is bounded and an interrupted transfer continues. */
const pieceBytes = 8 * 1_048_576;
/** Smaller files are part of their row. */
const inlineBytes = 512;
const inlinePrefix = "=";

/** The content of a file, by path and size, in an earlier backup. Only of files that never change. */
export type KnownContents = ReadonlyMap<string, string>;
export const knownKey = (path: string, sizeBytes: number): string => `${sizeBytes} ${path}`;

/** A file of the data folder or of a bucket. */
export interface SourceFile {
  /** In the layout of the data folder, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The content never changes under this name. */
  readonly isFixed: boolean;
  read(): AsyncIterable<Uint8Array>;
}

/** @returns undefined if the file was deleted meanwhile */
export async function storeFile(file: SourceFile, objects: ObjectWriter, known: KnownContents): Promise<FileRow | undefined> {
  const earlier = file.isFixed ? known.get(knownKey(file.path, file.sizeBytes)) : undefined;
  if (earlier !== undefined && objects.reuse(piecesOf(earlier))) return [file.path, file.sizeBytes, earlier];
  try {
    const names: string[] = [];
    let sizeBytes = 0;
    let inline: string | undefined;
    for await (const piece of inPieces(file.read())) {
      sizeBytes += piece.length;
      if (sizeBytes <= inlineBytes && piece.length < pieceBytes) inline = inlinePrefix + piece.toString("base64");
      else names.push(await objects.put(piece));
    }
    return [file.path, sizeBytes, inline ?? (names.length === 0 ? inlinePrefix : names.join(","))];
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The objects of a file's content. */
export const piecesOf = (content: string): readonly string[] => (content.startsWith(inlinePrefix) ? [] : content.split(","));

/** @throws ForgeError `unavailable` for a missing or damaged object */
export async function* contentOf(row: CopiedRow, read: (name: string) => Promise<Buffer>): AsyncGenerator<Uint8Array> {
  const content = String(row[2]);
  if (content.startsWith(inlinePrefix)) yield Buffer.from(content.slice(inlinePrefix.length), "base64");
  else for (const name of piecesOf(content)) yield await read(name);
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    // The chunk is valid until the next one is requested.
    for (let at = 0; at < chunk.length; ) {
      const part = Buffer.from(chunk.subarray(at, at + pieceBytes - bytes));
      held.push(part);
      bytes += part.length;
      at += part.length;
      if (bytes < pieceBytes) continue;
      yield Buffer.concat(held);
      held = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}

interface FolderOptions {
  /** Leaves out a file or folder. */
  readonly skips: (path: string) => boolean;
  /** By the path in the backup. */
  readonly isFixed: (path: string) => boolean;
  /** The path in the backup; undefined leaves the file out. */
  readonly placeOf?: (path: string) => string | undefined;
}

/**
 * The files below a folder in the order of their paths. Symbolic links are left out, and a missing folder is empty.
 * @param prefix of the paths in the backup
 */
export async function* listFolderFiles(
  folder: string,
  prefix: string,
  { skips, isFixed, placeOf = (path) => path }: FolderOptions,
): AsyncGenerator<SourceFile> {
  const below = async function* (path: string): AsyncGenerator<SourceFile> {
    for (const entry of await entriesOf(join(folder, path))) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (skips(name)) continue;
      if (entry.isDirectory()) yield* below(name);
      else if (entry.isFile()) {
        const place = placeOf(name);
        if (place === undefined) continue;
        // A file that was deleted meanwhile is found when it is read.
        const sizeBytes = (await sizeOfFile(join(folder, name))) ?? -1;
        yield { path: prefix === "" ? place : `${prefix}/${place}`, sizeBytes, isFixed: isFixed(place), read: () => readFileChunks(join(folder, name)) };
      }
    }
  };
  yield* below("");
}

/** @returns undefined if it does not exist */
export async function sizeOfFile(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    return (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  const chunk = Buffer.allocUnsafe(1_048_576);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

/** The files of a store in a bucket, or the wanted ones, with the paths that they have on disk. */
export async function* listStoreFiles(files: FileStore, prefix: string, wanted?: ReadonlySet<string>): AsyncGenerator<SourceFile> {
  for await (const { name, sizeBytes } of files.list())
    if (wanted?.has(name) !== false) yield { path: `${prefix}/${name.slice(0, 2)}/${name}`, sizeBytes, isFixed: true, read: () => files.read(name) };
}
