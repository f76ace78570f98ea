import { randomUUID } from "node:crypto";
import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import type { ForgeError } from "../../../../core/errors.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isForeignKeyViolation } from "../../../../db/errors.ts";
import type { AttachmentEvent } from "../../../../events/attachment-events.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { countFile } from "../../../repositories/repos/service/sizes.ts";
import { discardFile, keepFile, letGo } from "../../../site/blobs/service/keep.ts";
import { noteAttached } from "../../issues/conversation/service/bump-content-version.ts";
import type { FileLimits, Holder, KeptAttachment, TakenFile } from "../model.ts";
import { checkName } from "../names.ts";
import { deleteAttachment, findAttachment, insertAttachment, listAttachments, renameAttachment } from "../store.ts";

export interface AttachmentDeps {
  readonly db: Db;
  readonly files: FileStore;
  readonly config: Pick<Config, "attachments" | "limits">;
  readonly log: Log;
}

/** All files of a parent, oldest first. */
export const listHeld = (deps: { readonly db: Reader }, holder: Holder): Promise<readonly KeptAttachment[]> => listAttachments(deps.db, holder);

/** @throws ForgeError `not_found`, also for a file of another parent */
export async function getHeld(deps: { readonly db: Reader }, holder: Holder, id: number): Promise<KeptAttachment> {
  const found = await findAttachment(deps.db, holder, id);
  if (found === undefined) throw noAttachment(holder);
  return found;
}

/** @compat the message is `null` under a comment (wire facts 1.5; attachments/api.test.ts). Does not reveal the actual parent. */
function noAttachment({ commentId, releaseId }: Holder): ForgeError {
  if (releaseId !== null) return notFound();
  return commentId === null ? notFound("no such attachment in issue") : notFound("not found", { body: "null" });
}

/** Limits for files of a release: all file types. */
export const releaseLimits = ({ config }: Pick<AttachmentDeps, "config">): FileLimits => ({ maxBytes: config.attachments.release_max_bytes, endings: ["*"] });

/** Limits for files of a parent. */
export const limitsOf = (deps: Pick<AttachmentDeps, "config">, { releaseId }: Holder): FileLimits =>
  releaseId === null ? { maxBytes: deps.config.attachments.max_bytes, endings: deps.config.attachments.allowed_endings } : releaseLimits(deps);

/**
 * Stores a file, as the first of two steps: {@link hangUp} adds its row. Until then the file is unreferenced, and the sweep deletes it if
 * no row follows.
 * @throws ForgeError `malformed` or `invalid` for its name, before the content is read; `too_large`
 */
export async function takeIn(
  { files }: Pick<AttachmentDeps, "files">,
  { maxBytes, endings }: FileLimits,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<TakenFile> {
  checkName(name, endings);
  const { name: file, digest, sizeBytes } = await files.receive(content, { maxBytes });
  return { name, file, digest, sizeBytes };
}

/** Attaches a stored file. @throws ForgeError `not_found` if the parent has been deleted */
export async function hangUp(deps: AttachmentDeps, actor: UserActor, holder: Holder, taken: TakenFile): Promise<KeptAttachment> {
  try {
    const made = await deps.db.tx((tx) => hangUpIn(tx, actor, holder, taken));
    if (made.file !== taken.file) await discardFile(deps, taken.file);
    return made;
  } catch (error) {
    if (isForeignKeyViolation(error)) throw noAttachment(holder);
    throw error;
  }
}

/** The same within a transaction. If the returned file differs from `taken.file`, discard `taken.file` after the commit. */
export async function hangUpIn(tx: Tx, actor: UserActor, holder: Holder, taken: TakenFile): Promise<KeptAttachment> {
  const uuid = randomUUID();
  const file = await keepFile(tx, taken);
  const id = await insertAttachment(tx, holder, actor.id, uuid, taken);
  await countFile(tx, holder.repoId, taken.sizeBytes);
  if (holder.issueId !== null && holder.commentId === null) await noteAttached(tx, holder.issueId);
  const made: KeptAttachment = { ...holder, ...taken, file, id, uuid, downloadCount: 0, createdMs: tx.nowMs };
  // The text that references a pending upload publishes its event.
  const isWaiting = holder.issueId === null && holder.releaseId === null;
  if (!isWaiting) await recordEvent(tx, "attachment.created", eventOf(made), { repoId: holder.repoId, actorId: actor.id });
  return made;
}

/** Renames a file; an empty name changes nothing. @throws ForgeError `not_found`, `invalid` */
export async function rename(deps: AttachmentDeps, actor: UserActor, holder: Holder, id: number, name: string): Promise<KeptAttachment> {
  if (name !== "") checkName(name, limitsOf(deps, holder).endings);
  return deps.db.tx(async (tx) => renameIn(tx, actor, await getHeld({ db: tx }, holder, id), name || undefined));
}

/** The same within a transaction, with a validated name. */
export async function renameIn(tx: Tx, actor: UserActor, present: KeptAttachment, name = present.name): Promise<KeptAttachment> {
  if (name === present.name) return present;
  await renameAttachment(tx, present.id, name);
  const renamed = { ...present, name };
  await recordEvent(tx, "attachment.renamed", { ...eventOf(renamed), formerName: present.name }, { repoId: present.repoId, actorId: actor.id });
  return renamed;
}

/**
 * Deletes the row. The sweep deletes the file later, unless other rows share its content.
 * @throws ForgeError `not_found`
 */
export async function remove(deps: Pick<AttachmentDeps, "db">, actor: UserActor, holder: Holder, id: number): Promise<void> {
  await deps.db.tx(async (tx) => removeIn(tx, actor, await getHeld({ db: tx }, holder, id)));
}

/** The same within a transaction. */
export async function removeIn(tx: Tx, actor: UserActor, present: KeptAttachment): Promise<void> {
  await deleteAttachment(tx, present.id);
  await countFile(tx, present.repoId, -present.sizeBytes);
  await recordEvent(tx, "attachment.deleted", eventOf(present), { repoId: present.repoId, actorId: actor.id });
  await letGo(tx, present.digest);
}

const eventOf = ({ repoId, issueId, commentId, releaseId, id, name }: KeptAttachment): AttachmentEvent => ({
  repoId,
  issueId,
  commentId,
  releaseId,
  attachmentId: id,
  name,
});
