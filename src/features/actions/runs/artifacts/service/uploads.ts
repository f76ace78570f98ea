import type { Config } from "../../../../../config/config.ts";
import type { Clock } from "../../../../../core/clock.ts";
import { invalid, malformed, notFound, tooLarge } from "../../../../../core/errors.ts";
import type { Log } from "../../../../../core/log.ts";
import type { Sealer } from "../../../../../core/sealer.ts";
import type { Urls } from "../../../../../core/urls.ts";
import type { Db } from "../../../../../db/db.ts";
import type { FileStore } from "../../../../../storage/files.ts";
import { findPlaceById } from "../../../../repositories/repos/service/find.ts";
import { requireRoom } from "../../../../repositories/repos/service/sizes.ts";
import { discardFile, keepFile, letGo } from "../../../../site/blobs/service/keep.ts";
import type { Block, Upload } from "../model.ts";
import { deleteBlocks, deleteUpload, findBlock, findUpload, listBlocks, putBlock, updateUpload } from "../store.ts";

export interface UploadDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly urls: Urls;
  readonly sealer: Sealer;
  readonly config: Config;
  /** The store of the contents. */
  readonly files: FileStore;
}

/** Begins the names of parts without a name, which clients cannot send. */
const appended = "appended:";
/** The limit of Azure, whose protocol the toolkit uses. */
const maxBlocks = 50_000;

/** @throws ForgeError `not_found`; `invalid` for a complete one */
async function openUpload(deps: UploadDeps, uploadId: number): Promise<Upload> {
  const upload = await findUpload(deps.db, uploadId);
  if (upload === undefined) throw notFound("there is no such upload");
  if (upload.content !== null) throw invalid("the upload is complete");
  return upload;
}

async function requireRoomOf(deps: UploadDeps, upload: Upload, addedBytes: number): Promise<void> {
  const repository = await findPlaceById(deps, upload.repoId);
  if (repository === undefined) throw notFound();
  await requireRoom(deps, repository.ownerId, upload.receivedBytes + addedBytes);
}

const tooManyBytes = (maxBytes: number) => tooLarge(`a file of a job may have at most ${maxBytes} bytes`);

/**
 * Stores a part of an upload durably. A part of the same name is replaced.
 * @param block its name; undefined: after the parts that have arrived
 * @throws ForgeError `not_found`, `invalid`, `too_large`; errors of the content
 */
export async function stageBlock(deps: UploadDeps, uploadId: number, block: string | undefined, content: AsyncIterable<Uint8Array>): Promise<void> {
  if (block !== undefined && !/^[\w+/=-]{1,128}$/.test(block)) throw malformed("the name of a block has at most 128 letters and digits");
  const upload = await openUpload(deps, uploadId);
  const maxBytes = deps.config.actions.artifact_max_bytes;
  if (upload.receivedBytes >= maxBytes) throw tooManyBytes(maxBytes);
  await requireRoomOf(deps, upload, 0);
  const { name: file, sizeBytes } = await deps.files.receive(content, { maxBytes: maxBytes - upload.receivedBytes });
  let unused: string | undefined = file;
  try {
    unused = await deps.db.tx(async (tx) => {
      const now = await findUpload(tx, uploadId);
      if (now === undefined || now.content !== null) throw notFound("there is no such upload");
      const name = block ?? `${appended}${now.blockCount}`;
      const replaced = await findBlock(tx, uploadId, name);
      const receivedBytes = now.receivedBytes - (replaced?.sizeBytes ?? 0) + sizeBytes;
      if (receivedBytes > maxBytes) throw tooManyBytes(maxBytes);
      if (now.blockCount >= maxBlocks) throw invalid(`an upload has at most ${maxBlocks} blocks`);
      await putBlock(tx, uploadId, { block: name, file, sizeBytes }, now.blockCount);
      await updateUpload(tx, uploadId, { received_bytes: receivedBytes, block_count: now.blockCount + 1 });
      return replaced?.file;
    });
  } finally {
    await discardFile(deps, unused);
  }
}

/** Joins the parts of an upload, in the given order, or in that of their arrival. @throws ForgeError `not_found`, `invalid` for an unknown part */
export async function completeUpload(deps: UploadDeps, uploadId: number, names?: readonly string[]): Promise<void> {
  await openUpload(deps, uploadId);
  const blocks = await listBlocks(deps.db, uploadId);
  const byName = new Map(blocks.map((block) => [block.block, block]));
  const chosen = names?.map((name) => {
    const block = byName.get(name);
    if (block === undefined) throw invalid("the list contains a block that was not sent");
    return block;
  });
  await storeContent(deps, uploadId, join(deps.files, chosen ?? blocks));
}

/** Completes an upload whose parts have no names: clients send no list of them. */
export async function completeAppended(deps: UploadDeps, upload: Upload): Promise<void> {
  if (upload.content !== null || upload.blockCount === 0) return;
  const blocks = await listBlocks(deps.db, upload.id);
  if (blocks.every(({ block }) => block.startsWith(appended))) await completeUpload(deps, upload.id);
}

async function* join(files: FileStore, blocks: readonly Block[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const { file } of blocks) yield* files.read(file);
}

/** Stores the complete content of an upload. @throws ForgeError `not_found`, `invalid`, `too_large`; errors of the content */
export async function storeContent(deps: UploadDeps, uploadId: number, content: AsyncIterable<Uint8Array>): Promise<void> {
  const upload = await openUpload(deps, uploadId);
  const received = await deps.files.receive(content, { maxBytes: deps.config.actions.artifact_max_bytes });
  const unused: string[] = [received.name];
  try {
    await requireRoomOf(deps, { ...upload, receivedBytes: 0 }, received.sizeBytes);
    const kept = await deps.db.tx(async (tx) => {
      const now = await findUpload(tx, uploadId);
      if (now === undefined || now.content !== null) throw notFound("there is no such upload");
      const parts = await listBlocks(tx, uploadId);
      const file = await keepFile(tx, { digest: received.digest, sizeBytes: received.sizeBytes, file: received.name });
      await deleteBlocks(tx, uploadId);
      await updateUpload(tx, uploadId, { digest: received.digest, size_bytes: received.sizeBytes });
      return { file, parts };
    });
    if (kept.file === received.name) unused.pop();
    unused.push(...kept.parts.map(({ file }) => file));
  } finally {
    for (const file of unused) await discardFile(deps, file);
  }
}

/** Deletes an upload with its content. */
export async function dropUpload(deps: UploadDeps, upload: Pick<Upload, "id" | "content">): Promise<void> {
  const parts = await deps.db.tx(async (tx) => {
    const blocks = await listBlocks(tx, upload.id);
    await deleteUpload(tx, upload.id);
    if (upload.content !== null) await letGo(tx, upload.content.digest);
    return blocks;
  });
  for (const { file } of parts) await discardFile(deps, file);
}
