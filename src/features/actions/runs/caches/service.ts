import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, invalid, malformed, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { FilePart } from "../../../../storage/files.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { countFile } from "../../../repositories/repos/service/sizes.ts";
import { letGo } from "../../../site/blobs/service/keep.ts";
import { completeAppended, dropUpload, type UploadDeps } from "../artifacts/service/uploads.ts";
import { deleteUpload, findUploadByName, insertUpload } from "../artifacts/store.ts";
import type { RunRow, TaskRow } from "../model.ts";
import { findRun } from "../store/runs.ts";
import type { Cache, StoredCache } from "./model.ts";
import {
  type CacheScope,
  deleteCache,
  findCache,
  findCacheByKey,
  findNewestCache,
  insertCache,
  listLeastUsed,
  listUnused,
  noteUse,
  pageCaches,
  sumCacheBytes,
} from "./store.ts";

/** The limits of the toolkit. */
const maxKeyLength = 512;
const maxRestoreKeys = 10;
const dayMs = 86_400_000;

export interface CacheName {
  readonly key: string;
  readonly version: string;
}

function checkName({ key, version }: CacheName): void {
  if (key === "" || key.length > maxKeyLength || key.includes(",")) throw malformed(`a key has 1 to ${maxKeyLength} characters, and no comma`);
  if (!/^[\w.-]{1,128}$/.test(version)) throw malformed("the version has 1 to 128 letters and digits");
}

/** No artifact has a colon in its name. */
const uploadName = ({ key, version }: CacheName): string => `cache:${version}:${key}`;

async function runOf(db: Reader, task: TaskRow): Promise<RunRow> {
  const run = await findRun(db, task.repoId, task.runId);
  if (run === undefined) throw notFound();
  return run;
}

/**
 * Begins the upload of a cache; it belongs to the ref of the run.
 * @returns the id of the upload @throws ForgeError `malformed`; `conflict` for a key that the ref has already: a cache does not change
 */
export async function beginCache(deps: UploadDeps, task: TaskRow, name: CacheName): Promise<number> {
  checkName(name);
  const former = await findUploadByName(deps.db, task.id, uploadName(name));
  if (former !== undefined) await dropUpload(deps, former);
  return deps.db.tx(async (tx) => {
    const { ref } = await runOf(tx, task);
    if ((await findCacheByKey(tx, { repoId: task.repoId, ref, version: name.version }, name.key)) !== undefined)
      throw conflict(`a cache with the key ${name.key} exists already`);
    return insertUpload(tx, { repoId: task.repoId, taskId: task.id, name: uploadName(name), mediaType: "", expiresMs: tx.nowMs + dayMs });
  });
}

/** Turns a complete upload into a cache, and deletes the least recently used ones that have no room left. @throws ForgeError `not_found`, `invalid` */
export async function finishCache(deps: UploadDeps, task: TaskRow, name: CacheName, givenBytes: number | undefined): Promise<number> {
  checkName(name);
  const sent = await findUploadByName(deps.db, task.id, uploadName(name));
  if (sent !== undefined) await completeAppended(deps, sent);
  const limit = deps.config.actions.cache_bytes;
  return deps.db.tx(async (tx) => {
    const upload = await findUploadByName(tx, task.id, uploadName(name));
    if (upload?.content == null) throw notFound("no complete upload has this key");
    const { digest, sizeBytes } = upload.content;
    if (givenBytes !== undefined && givenBytes !== sizeBytes) throw invalid(`the content has ${sizeBytes} bytes, not ${givenBytes}`);
    if (sizeBytes > limit) throw invalid(`the caches of a repository have at most ${limit} bytes together`);
    const { ref } = await runOf(tx, task);
    // Another job of the ref was faster.
    if ((await findCacheByKey(tx, { repoId: task.repoId, ref, version: name.version }, name.key)) !== undefined)
      throw conflict(`a cache with the key ${name.key} exists already`);
    await makeRoom(tx, task.repoId, limit - sizeBytes);
    const id = await insertCache(tx, { repoId: task.repoId, ref, ...name, digest, sizeBytes });
    await deleteUpload(tx, upload.id);
    await countFile(tx, task.repoId, sizeBytes);
    return id;
  });
}

const batch = 50;

async function makeRoom(tx: Tx, repoId: number, maxBytes: number): Promise<void> {
  let total = await sumCacheBytes(tx, repoId);
  while (total > maxBytes) {
    const oldest = await listLeastUsed(tx, repoId, batch);
    if (oldest.length === 0) break;
    for (const cache of oldest) {
      if (total <= maxBytes) break;
      await dropCache(tx, cache);
      total -= cache.sizeBytes;
    }
  }
}

async function dropCache(tx: Tx, { id, repoId, sizeBytes, digest }: Cache): Promise<void> {
  await deleteCache(tx, id);
  await countFile(tx, repoId, -sizeBytes);
  await letGo(tx, digest);
}

/**
 * The cache that a job restores: that of its key, or the newest one whose key begins with the key or with one of the further ones, in this
 * order. It is looked for in the ref of the run, in the base of its pull request, and in the default branch.
 */
export async function restoreCache(deps: UploadDeps, task: TaskRow, name: CacheName, restoreKeys: readonly string[]): Promise<StoredCache | undefined> {
  checkName(name);
  if (restoreKeys.length > maxRestoreKeys) throw malformed(`at most ${maxRestoreKeys} keys are looked for`);
  const run = await runOf(deps.db, task);
  const repository = await findPlaceById(deps, task.repoId);
  const bases = [...(run.baseRef === "" ? [] : [`refs/heads/${run.baseRef}`]), ...(repository === undefined ? [] : [`refs/heads/${repository.defaultBranch}`])];
  for (const ref of new Set([run.ref, ...bases])) {
    const found = await findIn(deps.db, { repoId: task.repoId, ref, version: name.version }, [name.key, ...restoreKeys]);
    if (found === undefined) continue;
    await deps.db.tx((tx) => noteUse(tx, found.id));
    return found;
  }
  return undefined;
}

async function findIn(db: Reader, scope: CacheScope, [key = "", ...further]: readonly string[]): Promise<StoredCache | undefined> {
  const exact = await findCacheByKey(db, scope, key);
  if (exact !== undefined) return exact;
  for (const prefix of [key, ...further]) {
    const found = await findNewestCache(db, scope, prefix);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** For a signed address. @throws ForgeError `not_found` */
export async function getCache(deps: { readonly db: Reader }, id: number): Promise<StoredCache> {
  const cache = await findCache(deps.db, id);
  if (cache === undefined) throw notFound("the cache was deleted");
  return cache;
}

export const openCache =
  (deps: Pick<UploadDeps, "files">, cache: StoredCache) =>
  (part: FilePart | undefined): AsyncIterable<Uint8Array> =>
    deps.files.read(cache.file, part);

/** The most recently used first, and the size of all. Three statements. */
export async function listCaches(deps: { readonly db: Reader }, repository: RepositorySubject, page: Page): Promise<Paged<Cache> & { readonly bytes: number }> {
  return { ...(await pageCaches(deps.db, repository.id, page)), bytes: await sumCacheBytes(deps.db, repository.id) };
}

/** @throws ForgeError `not_found` */
export async function removeCache(deps: Pick<UploadDeps, "db">, repository: RepositorySubject, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const cache = await findCache(tx, id);
    if (cache === undefined || cache.repoId !== repository.id) throw notFound();
    await dropCache(tx, cache);
  });
}

/** Deletes caches that were not used for long, a few at a time. @returns their number */
export async function expireCaches(deps: Pick<UploadDeps, "db" | "clock" | "config">): Promise<number> {
  const beforeMs = deps.clock.now() - deps.config.actions.cache_days * dayMs;
  let count = 0;
  for (let found = await listUnused(deps.db, beforeMs, batch); found.length > 0; found = await listUnused(deps.db, beforeMs, batch)) {
    const old = found;
    await deps.db.tx(async (tx) => {
      for (const cache of old) await dropCache(tx, cache);
    });
    count += old.length;
  }
  return count;
}
