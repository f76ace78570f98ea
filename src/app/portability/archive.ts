import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ConfigError } from "../../config/config.ts";
import type { ExportedFile } from "../../features/site/own-data/tar.ts";

/** An export: a folder with data files and a manifest, which is written last and names the digest of each file. */

export const manifestName = "hearth-export.json";
const formatName = "hearth-export";
/** Incremented by changes that earlier versions cannot read. */
export const formatVersion = 1;

export interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Archive {
  readonly folder: string;
  readonly repository: { readonly owner: string; readonly name: string };
  /** By path. */
  readonly files: ReadonlyMap<string, ArchiveFile>;
}

/** Paths of an archive of this version. Others are never opened. */
const knownPath = /^(?:[a-z]+\.(?:jsonl|json|bundle)|(?:files|lfs)\/[0-9a-f]{64})$/;

/** @throws ConfigError unless the folder is missing or empty */
export async function requireEmpty(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error.code === "ENOTDIR" ? new ConfigError(`${folder} is not a folder`) : error;
  });
  if (present.length > 0) throw new ConfigError(`${folder} is not empty: name another folder, or delete an export that was interrupted`);
}

/** Adds the manifest to the files of an export, as the last file. */
export async function* withManifest(repository: Archive["repository"], files: AsyncIterable<ExportedFile>): AsyncGenerator<ExportedFile> {
  const listed: ArchiveFile[] = [];
  for await (const { path, content } of files) yield { path, content: counted(content, (count) => listed.push({ path, ...count })) };
  const text = `${JSON.stringify({ format: formatName, version: formatVersion, repository, files: listed }, undefined, 2)}\n`;
  yield { path: manifestName, content: [Buffer.from(text)] };
}

async function* counted(content: ExportedFile["content"], done: (count: Omit<ArchiveFile, "path">) => void): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of content) {
    const buffer = Buffer.from(chunk as Uint8Array);
    hash.update(buffer);
    bytes += buffer.length;
    yield buffer;
  }
  done({ bytes, sha256: hash.digest("hex") });
}

/** Writes an export durably, the manifest in one step. @throws ConfigError unless the folder is missing or empty */
export async function writeArchive(folder: string, repository: Archive["repository"], files: AsyncIterable<ExportedFile>): Promise<void> {
  await requireEmpty(folder);
  for await (const { path, content } of withManifest(repository, files)) {
    const target = join(folder, path);
    const part = path === manifestName ? `${target}.part` : target;
    await mkdir(dirname(target), { recursive: true });
    await pipeline(content, createWriteStream(part, { flush: true }));
    if (part !== target) await rename(part, target);
  }
}

/** The archives of a folder: itself, or its subfolders. @throws ConfigError if there is none */
export async function findArchives(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" || error.code === "ENOTDIR" ? new ConfigError(`the folder ${folder} does not exist`) : error;
  });
  if (entries.some(({ name }) => name === manifestName)) return [folder];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  if (folders.length === 0) throw new ConfigError(`${folder} is not a complete export: it has no ${manifestName}`);
  return folders.toSorted();
}

/**
 * Reads the manifest and compares each file with it.
 * @throws ConfigError for an archive that is incomplete, was changed, or is of another version
 */
export async function openArchive(folder: string): Promise<Archive> {
  const refuse = (reason: string): ConfigError => new ConfigError(`the export in ${folder} ${reason}`);
  const text = await readFile(join(folder, manifestName), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? refuse(`is incomplete: it has no ${manifestName}`) : error;
  });
  const manifest = readManifest(text);
  if (manifest === undefined) throw refuse(`has a ${manifestName} that cannot be read`);
  if (manifest.version !== formatVersion) throw refuse(`has version ${manifest.version}; this version of Hearth reads version ${formatVersion}`);
  for (const { path, bytes, sha256 } of manifest.files.values()) {
    if (!knownPath.test(path)) throw refuse(`lists an unknown file: ${JSON.stringify(path)}`);
    const place = join(folder, path);
    const stats = await stat(place).catch(() => undefined);
    if (stats?.isFile() !== true) throw refuse(`is incomplete: ${path} is missing`);
    if (stats.size !== bytes || (await digestOf(place)) !== sha256) throw refuse(`was changed or truncated: ${path} does not match its digest`);
  }
  return { folder, ...manifest };
}

function readManifest(text: string): (Omit<Archive, "folder"> & { readonly version: number }) | undefined {
  try {
    const { format, version, repository, files } = JSON.parse(text);
    if (format !== formatName || typeof version !== "number") return undefined;
    const { owner, name } = repository;
    const isValid = [owner, name].every((one) => typeof one === "string") && Array.isArray(files);
    const list = files.map(({ path, bytes, sha256 }: ArchiveFile) => [String(path), { path: String(path), bytes: Number(bytes), sha256: String(sha256) }]);
    return isValid ? { version, repository: { owner, name }, files: new Map(list) } : undefined;
  } catch {
    return undefined;
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
