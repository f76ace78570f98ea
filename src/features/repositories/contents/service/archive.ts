import type { Readable } from "node:stream";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { malformed, notFound } from "../../../../core/errors.ts";
import type { Enter } from "../../../../core/lanes.ts";
import { streamArchive, streamBundle } from "../../../../git/history/archive.ts";
import { encodeName } from "../../../../git/objects/names.ts";
import { findEntry, readBlob } from "../../../../git/objects/objects.ts";
import { openKept, openOnce } from "../../../../git/send/kept-response.ts";
import type { PackCache } from "../../../../git/send/pack-cache.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import type { RefSnapshot, RefSnapshots } from "../../refs/service/snapshots.ts";
import { requireCountableTree } from "./tree-size.ts";
import { requireCommit, type ViewpointDeps } from "./viewpoint.ts";

const formats = ["tar.gz", "zip", "bundle"] as const;
export type ArchiveFormat = (typeof formats)[number];

/** A commit to be sent as an archive. */
export interface Archive {
  readonly format: ArchiveFormat;
  readonly commit: Commit;
  /** Such as `express-main.zip`. */
  readonly fileName: string;
  /** The named ref and its target; undefined for a commit id. */
  readonly ref: { readonly name: string; readonly oid: Oid } | undefined;
}

/** Splits a name such as `feature/x.tar.gz`. @throws ForgeError `malformed` for an unknown extension */
export function readArchiveName(name: string): { readonly rev: string; readonly format: ArchiveFormat } {
  const format = formats.find((ending) => name.endsWith(`.${ending}`));
  if (format === undefined) throw malformed(`unknown format: ${name}`);
  return { rev: name.slice(0, -format.length - 1), format };
}

/** @throws ForgeError `not_found` */
export async function findArchive(
  deps: ViewpointDeps,
  repository: RepositorySubject,
  { rev, format }: { readonly rev: string; readonly format: ArchiveFormat },
): Promise<Archive> {
  const store = codeStore(deps, repository);
  const found = await resolveRev(deps, store, rev);
  if (found === undefined) throw notFound(`unrecognized repository reference: ${rev}`);
  return {
    format,
    commit: await requireCommit(store, found.commitOid),
    fileName: `${repository.name}-${rev.replaceAll("/", "-")}.${format}`,
    ref: found.refName === undefined ? undefined : { name: found.refName, oid: found.oid },
  };
}

const attributesBytes = 512 * 1024;

/**
 * A snapshot of the refs that git can write into the files of an archive, if attributes in the root of the commit request it (`export-subst`
 * in gitattributes, with `$Format:%d$` or `%(describe)`). Otherwise undefined: the archive depends on the commit alone, and attributes in
 * subdirectories find no refs. The caller releases the snapshot.
 */
export async function takeArchiveRefs(deps: { readonly refSnapshots: RefSnapshots }, store: GitStore, commit: Commit): Promise<RefSnapshot | undefined> {
  const entry = await findEntry(store, commit.treeOid, ".gitattributes");
  const attributes = entry === undefined ? undefined : await readBlob(store, entry.oid, attributesBytes);
  return attributes?.data?.includes("export-subst") === true ? deps.refSnapshots.take(store, "advertised") : undefined;
}

export interface ArchiveRequest {
  /** Only these files and directories; empty for all. */
  readonly paths: readonly string[];
  /** From {@link takeArchiveRefs}; the caller releases them. */
  readonly refs: RefSnapshot | undefined;
  /** Waits for a place in a lane before git starts. */
  readonly enter: Enter;
  readonly signal: AbortSignal;
}

export interface ArchiveDeps extends ViewpointDeps {
  readonly packCache: PackCache;
}

/**
 * Streams an archive. One git process, limited in bytes and time; none for the files of a commit that were sent before.
 * @throws ForgeError `not_found` for an unknown path, `invalid` for too many files
 */
export async function openArchive(
  deps: ArchiveDeps,
  repository: RepositorySubject,
  archive: Archive,
  { paths, refs, enter, signal }: ArchiveRequest,
): Promise<Readable> {
  const store = codeStore(deps, repository);
  const { format, commit, ref } = archive;
  if (format === "bundle") {
    const refs = new Map([["HEAD", commit.oid], ...(ref === undefined ? [] : [[ref.name, ref.oid] as const])]);
    return openOnce(async () => (await streamBundle(store, { refs, signal })).stdout, enter);
  }
  return openFiles(deps, store, commit, { format, prefix: `${repository.name}/`, paths, refs, enter, signal });
}

export interface FilesRequest extends ArchiveRequest {
  readonly format: "zip" | "tar" | "tar.gz";
  /** Prefix of every path. */
  readonly prefix: string;
  /** The directory whose files are sent, with paths relative to it; if omitted, all files of the commit. */
  readonly directory?: string;
}

/**
 * Streams an archive of files. One git process, limited in bytes and time. An archive of a commit always has the same content, so it comes
 * from the cache of clone responses if it was sent before, and concurrent requests share a process.
 * @throws ForgeError `not_found` for an unknown path, `invalid` for too many files
 */
export async function openFiles(
  { packCache }: Pick<ArchiveDeps, "packCache">,
  store: GitStore,
  commit: Commit,
  { format, prefix, paths, directory, refs, enter, signal }: FilesRequest,
): Promise<Readable> {
  const treeOid = directory === undefined ? commit.treeOid : await requireDirectory(store, commit.treeOid, directory);
  await requirePaths(store, treeOid, paths);
  await requireCountableTree(store, treeOid);
  const request = { oid: directory === undefined ? commit.oid : treeOid, format, prefix, ...(paths.length > 0 && { paths }) };
  const make = async (end: AbortSignal): Promise<Readable> => {
    // The process may outlive this request, so it retains the snapshot itself.
    refs?.retain();
    const release = (): void => refs?.release();
    try {
      const { stdout, done } = await streamArchive(refs?.store ?? store, { ...request, signal: end });
      done.then(release, release);
      return stdout;
    } catch (error) {
      release();
      throw error;
    }
  };
  // Files in the archive of a tree have the current time.
  if (directory !== undefined) return openOnce(() => make(signal), enter);
  return openKept(packCache, store, { key: ["archive", request, refs?.digest], make, signal, enter });
}

const missingPath = (path: string) => notFound(undefined, { details: [`object does not exist [id: , rel_path: ${path}]`] });

async function requireDirectory(store: GitStore, treeOid: Oid, path: string): Promise<Oid> {
  const entry = await findEntry(store, treeOid, path);
  if (entry?.mode !== "040000") throw missingPath(path);
  return entry.oid;
}

async function requirePaths(store: GitStore, treeOid: Oid, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const entry = path === "" ? undefined : await findEntry(store, treeOid, path);
    // A name that is not valid UTF-8 cannot be passed on a command line.
    if (entry === undefined || encodeName(path).toString("utf8") !== path) throw missingPath(path);
  }
}
