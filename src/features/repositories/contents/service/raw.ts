import { once } from "node:events";
import type { Readable } from "node:stream";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound, unavailable } from "../../../../core/errors.ts";
import { findEntry, readBlob, readInfo, streamBlob } from "../../../../git/objects/objects.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { type LfsPointer, maxPointerBytes, readLfsPointer } from "../../commits/lfs-pointer.ts";
import { type RevKind, resolvePath, resolveRev } from "../../refs/service/resolve.ts";
import { type ImageType, imageTypeOf } from "../image-type.ts";
import type { RawFile, Viewpoint } from "../model.ts";
import { isText } from "../text-detection.ts";
import { findViewpoint, requireCommit, splitViewedPath, type ViewpointDeps, viewPath } from "./viewpoint.ts";

/**
 * A file at a revision. @compat without a revision, the path can begin with one; an unknown revision falls back to the default branch
 * (contents/read.test.ts)
 * @throws ForgeError `not_found`
 */
export async function findRawFile(
  deps: ViewpointDeps,
  repository: RepositorySubject,
  { path, rev }: { readonly path: string; readonly rev: string },
): Promise<RawFile> {
  if (repository.isEmpty) throw notFound("repository is empty");
  const store = codeStore(deps, repository);
  const named = rev === "" ? undefined : await resolveRev(deps, store, rev);
  if (named !== undefined) return requireFile(await fileAt(deps, repository, await requireCommit(store, named.commitOid), path));
  if (rev !== "") return requireFile(await fileAt(deps, repository, (await findViewpoint(deps, repository, "")).commit, path));
  for await (const meaning of viewPath(deps, repository, path)) {
    const file = await fileAt(deps, repository, meaning.at.commit, meaning.path);
    if (file !== undefined) return file;
  }
  throw notFound();
}

/** A file by its blob id, which also serves as its name. @throws ForgeError `not_found` */
export async function findBlobFile(deps: ViewpointDeps, repository: RepositorySubject, oid: string): Promise<RawFile> {
  const info = await readInfo(codeStore(deps, repository), oid);
  if (info?.type !== "blob") throw notFound();
  return { oid: info.oid, name: info.oid, isLink: false };
}

/** A file by a path that begins with a revision of a given kind. @throws ForgeError `not_found` */
export async function findRawFileBelow(deps: ViewpointDeps, repository: RepositorySubject, kind: RevKind, path: string): Promise<RawFile> {
  const viewed = await splitViewedPath(deps, repository, path, [kind]);
  return requireFile(viewed && (await fileAt(deps, repository, viewed.at.commit, viewed.path)));
}

/**
 * Prepends the kind of revision, and if needed the revision, to a path from a URL without them: `main/a.md` becomes `branch/main/a.md`. A path
 * that does not begin with a revision is relative to the default branch.
 * @throws ForgeError `not_found` if there is no default branch
 */
export async function completePath(deps: ViewpointDeps, repository: RepositorySubject, path: string): Promise<string> {
  for await (const { found } of resolvePath(deps, codeStore(deps, repository), path)) return `${found.kind}/${path}`;
  if (repository.isEmpty) throw notFound();
  return `branch/${repository.defaultBranch}/${path}`;
}

async function fileAt(deps: ViewpointDeps, repository: RepositorySubject, commit: Viewpoint["commit"], path: string): Promise<RawFile | undefined> {
  const entry = path === "" ? undefined : await findEntry(codeStore(deps, repository), commit.treeOid, path);
  if (entry === undefined || entry.mode === "040000" || entry.mode === "160000") return undefined;
  return { oid: entry.oid, name: entry.name, isLink: entry.mode === "120000" };
}

function requireFile(file: RawFile | undefined): RawFile {
  if (file === undefined) throw notFound();
  return file;
}

export interface OpenFile {
  readonly sizeBytes: number;
  readonly isText: boolean;
  /** Undefined if the file is not an image that browsers show. */
  readonly imageType: ImageType | undefined;
  /** A stream with backpressure for large files. The caller destroys it unless it reads to the end. */
  readonly body: Buffer | Readable;
}

/** Larger files are streamed. */
const wholeBytes = 512 * 1024;

/** Opens the content of a file. */
export async function openRawFile(
  deps: ViewpointDeps,
  repository: RepositorySubject,
  { oid, name }: Pick<RawFile, "oid" | "name">,
  signal: AbortSignal,
): Promise<OpenFile> {
  const store = codeStore(deps, repository);
  const blob = await readBlob(store, oid, wholeBytes);
  if (blob?.data !== undefined) return { sizeBytes: blob.sizeBytes, ...kindOf(name, blob.data), body: blob.data };
  const opened = blob && (await streamBlob(store, oid, signal));
  if (opened === undefined) throw unavailable("a file of the repository cannot be read", { meta: { storeId: store.id, oid } });
  return { sizeBytes: opened.sizeBytes, ...kindOf(name, await beginningOf(opened.stream)), body: opened.stream };
}

const kindOf = (name: string, beginning: Buffer) => ({ isText: isText(beginning), imageType: imageTypeOf(name, beginning) });

/** The Git LFS pointer in a file; undefined for any other file. */
export async function readPointerFile(deps: ViewpointDeps, repository: RepositorySubject, oid: Oid): Promise<LfsPointer | undefined> {
  const blob = await readBlob(codeStore(deps, repository), oid, maxPointerBytes);
  return blob?.data && readLfsPointer(blob.data);
}

/** Reads the first bytes of a stream and puts them back. */
async function beginningOf(stream: Readable): Promise<Buffer> {
  await once(stream, "readable");
  const chunk: Buffer | null = stream.read();
  if (chunk === null) return Buffer.alloc(0);
  stream.unshift(chunk);
  return chunk;
}
