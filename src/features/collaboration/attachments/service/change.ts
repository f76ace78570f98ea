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

/** All files that hang on something, oldest first. */
export const listHeld = (deps: { readonly db: Reader }, holder: Holder): Promise<readonly KeptAttachment[]> => listAttachments(deps.db, holder);

/** @throws ForgeError `not_found`, the same for a file that hangs elsewhere */
export async function getHeld(deps: { readonly db: Reader }, holder: Holder, id: number): Promise<KeptAttachment> {
  const found = await findAttachment(deps.db, holder, id);
  if (found === undefined) throw noAttachment(holder);
  return found;
}

/** @compat under a comment it is `null` (wire facts 1.5). Where it hangs instead is told to nobody */
function noAttachment({ commentId, releaseId }: Holder): ForgeError {
  if (releaseId !== null) return notFound();
  return commentId === null ? notFound("no such attachment in issue") : notFound("not found", { body: "null" });
}

/** What may hang on a release: files of every kind. */
export const releaseLimits = ({ config }: Pick<AttachmentDeps, "config">): FileLimits => ({ maxBytes: config.attachments.release_max_bytes, endings: ["*"] });

/** What may hang on a holder. */
export const limitsOf = (deps: Pick<AttachmentDeps, "config">, { releaseId }: Holder): FileLimits =>
  releaseId === null ? { maxBytes: deps.config.attachments.max_bytes, endings: deps.config.attachments.allowed_endings } : releaseLimits(deps);

/**
 * Takes a file in, as the first of two steps: {@link hangUp} names it in a row. In between it is nobody's, and the sweep takes it when nothing comes of it.
 * @throws ForgeError `malformed` or `invalid` by its name, before the content is asked for; `too_large`
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

/** Hangs up a file that was taken in. @throws ForgeError `not_found` when that has gone meanwhile */
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

/** The same within a transaction. Where the file of what comes back is another one, nobody has `taken.file` once that has taken place. */
export async function hangUpIn(tx: Tx, actor: UserActor, holder: Holder, taken: TakenFile): Promise<KeptAttachment> {
  const uuid = randomUUID();
  const file = await keepFile(tx, taken);
  const id = await insertAttachment(tx, holder, actor.id, uuid, taken);
  await countFile(tx, holder.repoId, taken.sizeBytes);
  if (holder.issueId !== null && holder.commentId === null) await noteAttached(tx, holder.issueId);
  const made: KeptAttachment = { ...holder, ...taken, file, id, uuid, downloadCount: 0, createdMs: tx.nowMs };
  // What waits for a text is told of with that text.
  const isWaiting = holder.issueId === null && holder.releaseId === null;
  if (!isWaiting) await recordEvent(tx, "attachment.created", eventOf(made), { repoId: holder.repoId, actorId: actor.id });
  return made;
}

/** Gives a file another name; an empty one changes nothing. @throws ForgeError `not_found`, `invalid` */
export async function rename(deps: AttachmentDeps, actor: UserActor, holder: Holder, id: number, name: string): Promise<KeptAttachment> {
  if (name !== "") checkName(name, limitsOf(deps, holder).endings);
  return deps.db.tx(async (tx) => renameIn(tx, actor, await getHeld({ db: tx }, holder, id), name || undefined));
}

/** The same within a transaction, to a name that has been checked. */
export async function renameIn(tx: Tx, actor: UserActor, present: KeptAttachment, name = present.name): Promise<KeptAttachment> {
  if (name === present.name) return present;
  await renameAttachment(tx, present.id, name);
  const renamed = { ...present, name };
  await recordEvent(tx, "attachment.renamed", { ...eventOf(renamed), formerName: present.name }, { repoId: present.repoId, actorId: actor.id });
  return renamed;
}

/** The row first, then the file, if nothing else has the same content: a crash in between leaves a file that no row names, and the sweep takes it. @throws ForgeError `not_found` */
export async function remove(deps: AttachmentDeps, actor: UserActor, holder: Holder, id: number): Promise<void> {
  const unneeded = await deps.db.tx(async (tx) => removeIn(tx, actor, await getHeld({ db: tx }, holder, id)));
  await discardFile(deps, unneeded);
}

/** The same within a transaction. @returns what `discardFile` is to take once that has taken place */
export async function removeIn(tx: Tx, actor: UserActor, present: KeptAttachment): Promise<string | undefined> {
  await deleteAttachment(tx, present.id);
  await countFile(tx, present.repoId, -present.sizeBytes);
  await recordEvent(tx, "attachment.deleted", eventOf(present), { repoId: present.repoId, actorId: actor.id });
  return letGo(tx, present.digest);
}

const eventOf = ({ repoId, issueId, commentId, releaseId, id, name }: KeptAttachment): AttachmentEvent => ({
  repoId,
  issueId,
  commentId,
  releaseId,
  attachmentId: id,
  name,
});
