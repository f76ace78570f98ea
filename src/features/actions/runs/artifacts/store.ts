import type { Updateable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ActionUploadsTable } from "../../../../db/tables/actions.ts";
import type { Artifact, Block, StoredArtifact, Upload } from "./model.ts";

const columns = [
  "a.id",
  "a.repo_id",
  "a.run_id",
  "a.attempt",
  "a.name",
  "a.media_type",
  "a.digest",
  "a.size_bytes",
  "a.created_ms",
  "a.updated_ms",
  "a.expires_ms",
  "f.file",
] as const;

interface Row {
  readonly id: number;
  readonly repo_id: number;
  readonly run_id: number;
  readonly attempt: number;
  readonly name: string;
  readonly media_type: string;
  readonly digest: string;
  readonly size_bytes: number;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly expires_ms: number;
  readonly file: string;
}

const toArtifact = (row: Row): StoredArtifact => ({
  id: row.id,
  repoId: row.repo_id,
  runId: row.run_id,
  attempt: row.attempt,
  name: row.name,
  mediaType: row.media_type,
  digest: row.digest,
  sizeBytes: row.size_bytes,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
  expiresMs: row.expires_ms,
  file: row.file,
});

const artifacts = (db: Reader) => db.sql.selectFrom("action_artifacts as a").innerJoin("stored_files as f", "f.digest", "a.digest");

export async function findArtifact(db: Reader, repoId: number | undefined, id: number): Promise<StoredArtifact | undefined> {
  let query = artifacts(db).select(columns).where("a.id", "=", id);
  if (repoId !== undefined) query = query.where("a.repo_id", "=", repoId);
  const row = await query.executeTakeFirst();
  return row && toArtifact(row);
}

export async function findArtifactByName(db: Reader, runId: number, name: string): Promise<StoredArtifact | undefined> {
  const row = await artifacts(db).select(columns).where("a.run_id", "=", runId).where("a.name", "=", name).executeTakeFirst();
  return row && toArtifact(row);
}

export const countArtifacts = async (db: Reader, runId: number): Promise<number> =>
  Number(
    (
      await db.sql
        .selectFrom("action_artifacts")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("run_id", "=", runId)
        .executeTakeFirstOrThrow()
    ).count,
  );

export interface ArtifactFilter {
  readonly repoId: number;
  readonly runId?: number | undefined;
  readonly name?: string | undefined;
  readonly id?: number | undefined;
}

/** Newest first. Two statements. */
export async function pageArtifacts(db: Reader, { repoId, runId, name, id }: ArtifactFilter, page: Page): Promise<Paged<Artifact>> {
  let query = artifacts(db).where("a.repo_id", "=", repoId);
  if (runId !== undefined) query = query.where("a.run_id", "=", runId);
  if (name !== undefined) query = query.where("a.name", "=", name);
  if (id !== undefined) query = query.where("a.id", "=", id);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).orderBy("a.id", "desc").limit(page.limit).offset(page.offset).execute();
  return { items: rows.map(toArtifact), total: Number(total) };
}

export async function insertArtifact(tx: Tx, artifact: Omit<Artifact, "id" | "createdMs" | "updatedMs">): Promise<number> {
  const { id } = await tx.sql
    .insertInto("action_artifacts")
    .values({
      repo_id: artifact.repoId,
      run_id: artifact.runId,
      attempt: artifact.attempt,
      name: artifact.name,
      media_type: artifact.mediaType,
      digest: artifact.digest,
      size_bytes: artifact.sizeBytes,
      created_ms: tx.nowMs,
      updated_ms: tx.nowMs,
      expires_ms: artifact.expiresMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteArtifact(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("action_artifacts").where("id", "=", id).execute();
}

export async function sumArtifactBytes(db: Reader, runId: number): Promise<number> {
  const row = await db.sql
    .selectFrom("action_artifacts")
    .select((eb) => eb.fn.sum<number>("size_bytes").as("total"))
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  return Number(row.total ?? 0);
}

export async function listExpired(db: Reader, nowMs: number, limit: number): Promise<readonly StoredArtifact[]> {
  const rows = await artifacts(db).select(columns).where("a.expires_ms", "<=", nowMs).orderBy("a.expires_ms").limit(limit).execute();
  return rows.map(toArtifact);
}

const uploadColumns = ["id", "repo_id", "task_id", "name", "media_type", "received_bytes", "block_count", "digest", "size_bytes", "expires_ms"] as const;

interface UploadRow {
  readonly id: number;
  readonly repo_id: number;
  readonly task_id: number;
  readonly name: string;
  readonly media_type: string;
  readonly received_bytes: number;
  readonly block_count: number;
  readonly digest: string | null;
  readonly size_bytes: number | null;
  readonly expires_ms: number;
}

const toUpload = (row: UploadRow): Upload => ({
  id: row.id,
  repoId: row.repo_id,
  taskId: row.task_id,
  name: row.name,
  mediaType: row.media_type,
  receivedBytes: row.received_bytes,
  blockCount: row.block_count,
  content: row.digest === null || row.size_bytes === null ? null : { digest: row.digest, sizeBytes: row.size_bytes },
  expiresMs: row.expires_ms,
});

export async function findUpload(db: Reader, id: number): Promise<Upload | undefined> {
  const row = await db.sql.selectFrom("action_uploads").select(uploadColumns).where("id", "=", id).executeTakeFirst();
  return row && toUpload(row);
}

export async function findUploadByName(db: Reader, taskId: number, name: string): Promise<Upload | undefined> {
  const row = await db.sql.selectFrom("action_uploads").select(uploadColumns).where("task_id", "=", taskId).where("name", "=", name).executeTakeFirst();
  return row && toUpload(row);
}

export const countUploads = async (db: Reader, taskId: number): Promise<number> =>
  Number(
    (
      await db.sql
        .selectFrom("action_uploads")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("task_id", "=", taskId)
        .executeTakeFirstOrThrow()
    ).count,
  );

export async function insertUpload(tx: Tx, upload: Pick<Upload, "repoId" | "taskId" | "name" | "mediaType" | "expiresMs">): Promise<number> {
  const { id } = await tx.sql
    .insertInto("action_uploads")
    .values({
      repo_id: upload.repoId,
      task_id: upload.taskId,
      name: upload.name,
      media_type: upload.mediaType,
      digest: null,
      size_bytes: null,
      expires_ms: upload.expiresMs,
      created_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateUpload(tx: Tx, id: number, changes: Updateable<ActionUploadsTable>): Promise<void> {
  await tx.sql.updateTable("action_uploads").set(changes).where("id", "=", id).execute();
}

export async function deleteUpload(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("action_uploads").where("id", "=", id).execute();
}

export async function listOldUploads(db: Reader, beforeMs: number, limit: number): Promise<readonly Upload[]> {
  const rows = await db.sql.selectFrom("action_uploads").select(uploadColumns).where("created_ms", "<", beforeMs).orderBy("created_ms").limit(limit).execute();
  return rows.map(toUpload);
}

/** In the order of arrival. */
export async function listBlocks(db: Reader, uploadId: number): Promise<readonly Block[]> {
  const rows = await db.sql
    .selectFrom("action_upload_blocks")
    .select(["block", "file", "size_bytes"])
    .where("upload_id", "=", uploadId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({ block: row.block, file: row.file, sizeBytes: row.size_bytes }));
}

export async function findBlock(db: Reader, uploadId: number, block: string): Promise<Block | undefined> {
  const row = await db.sql
    .selectFrom("action_upload_blocks")
    .select(["block", "file", "size_bytes"])
    .where("upload_id", "=", uploadId)
    .where("block", "=", block)
    .executeTakeFirst();
  return row && { block: row.block, file: row.file, sizeBytes: row.size_bytes };
}

export async function putBlock(tx: Tx, uploadId: number, { block, file, sizeBytes }: Block, position: number): Promise<void> {
  await tx.sql
    .insertInto("action_upload_blocks")
    .values({ upload_id: uploadId, block, position, file, size_bytes: sizeBytes })
    .onConflict((conflict) => conflict.columns(["upload_id", "block"]).doUpdateSet({ file, size_bytes: sizeBytes }))
    .execute();
}

export async function deleteBlocks(tx: Tx, uploadId: number): Promise<void> {
  await tx.sql.deleteFrom("action_upload_blocks").where("upload_id", "=", uploadId).execute();
}

/** The tasks that ended before a time and have logs. */
export async function listOldLogs(db: Reader, beforeMs: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("action_tasks")
    .select("id")
    .where("stopped_ms", "<", beforeMs)
    .where("log_rows", ">", 0)
    .orderBy("stopped_ms")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteLogs(tx: Tx, taskIds: readonly number[]): Promise<void> {
  await tx.sql
    .deleteFrom("action_log_parts")
    .where((eb) => anyOf(tx, eb.ref("task_id"), taskIds))
    .execute();
  await tx.sql
    .updateTable("action_tasks")
    .set({ log_rows: 0, log_bytes: 0, is_log_closed: 1 })
    .where((eb) => anyOf(tx, eb.ref("id"), taskIds))
    .execute();
}
