import type { Actor } from "../../../../access/actor.ts";
import { isUser } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound, tooLarge, unavailable } from "../../../../core/errors.ts";
import type { Page } from "../../../../core/paging.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { FilePart } from "../../../../storage/files.ts";
import { countFile, requireRoom } from "../../../repositories/repos/service/sizes.ts";
import { discardFile, keepFile } from "../../../site/blobs/service/keep.ts";
import type { LfsObject, LfsPointer } from "../model.ts";
import { findObjects, insertObject, pageObjects } from "../store/objects.ts";
import type { LfsDeps } from "./deps.ts";

/** Those of some objects that a repository has. One statement. */
export const presentObjects = (
  deps: Pick<LfsDeps, "db">,
  repository: Pick<RepositorySubject, "id">,
  oids: readonly string[],
): Promise<ReadonlyMap<string, LfsObject>> => findObjects(deps.db, repository.id, oids);

/** A page of a repository's objects, newest first. Two statements. */
export const listObjects = ({ db }: Pick<LfsDeps, "db">, repository: Pick<RepositorySubject, "id">, page: Page) => pageObjects(db, repository.id, page);

/** @throws ForgeError `not_found` */
export async function getObject(deps: Pick<LfsDeps, "db">, repository: Pick<RepositorySubject, "id">, oid: string): Promise<LfsObject> {
  const object = (await findObjects(deps.db, repository.id, [oid])).get(oid);
  if (object === undefined) throw notFound("Not Found");
  return object;
}

/** Reads a range of a content; undefined reads all. Each chunk is valid only until the next one is requested. */
export type ReadPart = (part: FilePart | undefined) => AsyncIterable<Uint8Array>;

/** @throws ForgeError `unavailable` when the stored content is missing or has the wrong size */
export async function openObject({ files }: Pick<LfsDeps, "files">, { oid, file, sizeBytes }: LfsObject): Promise<ReadPart> {
  const found = await files.sizeOf(file);
  if (found !== sizeBytes) throw unavailable("the content of this large file cannot be read", { meta: { oid, file, sizeBytes, found } });
  return (part) => files.read(file, part);
}

/** Resolves a pointer to the repository's stored content, for file views. One statement. */
export async function openLargeFile(deps: Pick<LfsDeps, "db" | "files">, repoId: number, pointer: LfsPointer): Promise<ReadPart | undefined> {
  const object = (await findObjects(deps.db, repoId, [pointer.oid])).get(pointer.oid);
  return object === undefined || object.sizeBytes !== pointer.sizeBytes ? undefined : openObject(deps, object);
}

/** Whether an object is larger than the server's limit. */
export const isTooLarge = ({ config }: Pick<LfsDeps, "config">, { sizeBytes }: LfsPointer): boolean => sizeBytes > config.lfs.max_object_bytes;

/**
 * Stores an object durably, then inserts its row. A wrong content or an aborted upload leaves nothing.
 * @throws ForgeError `too_large`, `invalid`; any error of the content stream
 */
export async function storeObject(
  deps: LfsDeps,
  actor: Actor,
  repository: RepositorySubject,
  pointer: LfsPointer,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { oid, sizeBytes } = pointer;
  if (isTooLarge(deps, pointer)) throw tooLarge(`an object may have at most ${deps.config.lfs.max_object_bytes} bytes`);
  await requireRoom(deps, repository.ownerId, sizeBytes);
  const received = await deps.files.receive(content, { maxBytes: sizeBytes });
  if (received.digest !== oid || received.sizeBytes !== sizeBytes) {
    await discardFile(deps, received.name);
    throw invalid("the content does not match its SHA-256 and size");
  }
  const kept = await deps.db.tx(async (tx) => {
    const object = { oid, sizeBytes, file: await keepFile(tx, { digest: oid, sizeBytes, file: received.name }) };
    if (await insertObject(tx, repository.id, object)) {
      await countFile(tx, repository.id, sizeBytes);
      const event = { repoId: repository.id, oid, sizeBytes };
      await recordEvent(tx, "lfs_object.created", event, { repoId: repository.id, actorId: isUser(actor) ? actor.id : null });
    }
    return object;
  });
  if (kept.file !== received.name) await discardFile(deps, received.name);
}
