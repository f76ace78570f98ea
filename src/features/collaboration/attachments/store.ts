import type { Reader, Tx } from "../../../db/db.ts";
import type { Holder, KeptAttachment, TakenFile } from "./model.ts";

const columns = [
  "a.id",
  "a.uuid",
  "a.repo_id",
  "a.issue_id",
  "a.comment_id",
  "a.release_id",
  "a.name",
  "a.size_bytes",
  "a.digest",
  "f.file",
  "a.download_count",
  "a.created_ms",
] as const;

interface Row {
  readonly id: number;
  readonly uuid: string;
  readonly repo_id: number;
  readonly issue_id: number | null;
  readonly comment_id: number | null;
  readonly release_id: number | null;
  readonly name: string;
  readonly size_bytes: number;
  readonly digest: string;
  readonly file: string;
  readonly download_count: number;
  readonly created_ms: number;
}

const toView = (row: Row): KeptAttachment => ({
  id: row.id,
  uuid: row.uuid,
  repoId: row.repo_id,
  issueId: row.issue_id,
  commentId: row.comment_id,
  releaseId: row.release_id,
  name: row.name,
  sizeBytes: row.size_bytes,
  digest: row.digest,
  file: row.file,
  downloadCount: row.download_count,
  createdMs: row.created_ms,
});

const withFiles = (db: Reader) => db.sql.selectFrom("attachments as a").innerJoin("stored_files as f", "f.digest", "a.digest");

function heldBy(db: Reader, { issueId, commentId, releaseId }: Holder) {
  const all = withFiles(db);
  if (releaseId !== null) return all.where("a.release_id", "=", releaseId);
  return all.where("a.issue_id", "=", issueId).where("a.comment_id", commentId === null ? "is" : "=", commentId);
}

/** Oldest first. */
export async function listAttachments(db: Reader, holder: Holder): Promise<readonly KeptAttachment[]> {
  const rows = await heldBy(db, holder).select(columns).orderBy("a.id").execute();
  return rows.map(toView);
}

export async function findAttachment(db: Reader, holder: Holder, id: number): Promise<KeptAttachment | undefined> {
  const row = await heldBy(db, holder).select(columns).where("a.id", "=", id).executeTakeFirst();
  return row && toView(row);
}

/** A file with the properties of its parent that authorization needs: the kind of an issue, or whether a release is a draft. */
export type FoundAttachment = KeptAttachment & { readonly isPull: boolean; readonly isDraft: boolean; readonly uploaderId: number | null };

export async function findByUuid(db: Reader, uuid: string): Promise<FoundAttachment | undefined> {
  const row = await withFiles(db)
    .leftJoin("issues as i", "i.id", "a.issue_id")
    .leftJoin("releases as r", "r.id", "a.release_id")
    .select([...columns, "i.is_pull", "r.is_draft", "a.uploader_id"])
    .where("a.uuid", "=", uuid)
    .executeTakeFirst();
  return row && { ...toView(row), isPull: row.is_pull === 1, isDraft: row.is_draft === 1, uploaderId: row.uploader_id };
}

/** The oldest file with this name in a release. */
export async function findByName(db: Reader, releaseId: number, name: string): Promise<KeptAttachment | undefined> {
  const row = await withFiles(db).select(columns).where("a.release_id", "=", releaseId).where("a.name", "=", name).orderBy("a.id").limit(1).executeTakeFirst();
  return row && toView(row);
}

export async function insertAttachment(tx: Tx, holder: Holder, uploaderId: number | null, uuid: string, taken: TakenFile): Promise<number> {
  const { id } = await tx.sql
    .insertInto("attachments")
    .values({
      uuid,
      repo_id: holder.repoId,
      issue_id: holder.issueId,
      comment_id: holder.commentId,
      release_id: holder.releaseId,
      uploader_id: uploaderId,
      name: taken.name,
      size_bytes: taken.sizeBytes,
      digest: taken.digest,
      created_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function renameAttachment(tx: Tx, id: number, name: string): Promise<void> {
  await tx.sql.updateTable("attachments").set({ name }).where("id", "=", id).execute();
}

export async function deleteAttachment(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("attachments").where("id", "=", id).execute();
}

export async function countDownload(tx: Tx, id: number): Promise<void> {
  await tx.sql
    .updateTable("attachments")
    .set((eb) => ({ download_count: eb("download_count", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Number of a user's pending uploads. */
export async function countWaiting(db: Reader, uploaderId: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom("attachments")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("uploader_id", "=", uploaderId)
    .where("issue_id", "is", null)
    .where("release_id", "is", null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Deletes old pending uploads. One statement. */
export async function deleteWaiting(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("attachments").where("issue_id", "is", null).where("release_id", "is", null).where("created_ms", "<", beforeMs).execute();
}
