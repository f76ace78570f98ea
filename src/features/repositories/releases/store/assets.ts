import { anyOf } from "../../../../db/any-of.ts";
import type { Reader } from "../../../../db/db.ts";
import type { AttachmentView } from "../../../collaboration/issues/model.ts";

/** The files of releases by the release's id, sorted by name. One statement. */
export async function loadAssets(db: Reader, releaseIds: readonly number[]): Promise<ReadonlyMap<number, readonly AttachmentView[]>> {
  const assets = new Map<number, AttachmentView[]>(releaseIds.map((id) => [id, []]));
  if (releaseIds.length === 0) return assets;
  const rows = await db.sql
    .selectFrom("attachments")
    .select(["id", "uuid", "release_id", "name", "size_bytes", "download_count", "created_ms"])
    .where("release_id", "is not", null)
    .where((eb) => anyOf(db, eb.ref("release_id").$castTo<number>(), releaseIds))
    .orderBy("name")
    .orderBy("id")
    .execute();
  for (const row of rows) {
    assets.get(row.release_id ?? 0)?.push({
      id: row.id,
      uuid: row.uuid,
      name: row.name,
      sizeBytes: row.size_bytes,
      downloadCount: row.download_count,
      createdMs: row.created_ms,
    });
  }
  return assets;
}
