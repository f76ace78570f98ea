import { anyOf } from "../../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import type { AttachmentView } from "../../model.ts";

const select = (db: Reader) =>
  db.sql.selectFrom("attachments").select(["id", "uuid", "issue_id", "comment_id", "name", "size_bytes", "download_count", "created_ms"]).orderBy("id");

type Row = Awaited<ReturnType<ReturnType<typeof select>["executeTakeFirstOrThrow"]>>;

const toView = (row: Row): AttachmentView => ({
  id: row.id,
  uuid: row.uuid,
  name: row.name,
  sizeBytes: row.size_bytes,
  downloadCount: row.download_count,
  createdMs: row.created_ms,
});

/** Files by parent. */
function grouped(rows: readonly Row[], holderOf: (row: Row) => number | null): ReadonlyMap<number, readonly AttachmentView[]> {
  const byHolder = new Map<number, AttachmentView[]>();
  for (const row of rows) {
    const holderId = holderOf(row) ?? 0;
    const held = byHolder.get(holderId);
    if (held === undefined) byHolder.set(holderId, [toView(row)]);
    else held.push(toView(row));
  }
  return byHolder;
}

type Ids = Slots<{ ids: readonly number[] }>;

const ofIssues = compiled((db, given: Ids) =>
  select(db)
    .where("comment_id", "is", null)
    .where("issue_id", "is not", null)
    .where((eb) => anyOf(db, eb.ref("issue_id").$castTo<number>(), given.ids)),
);
const ofComments = compiled((db, given: Ids) =>
  select(db)
    .where("comment_id", "is not", null)
    .where((eb) => anyOf(db, eb.ref("comment_id").$castTo<number>(), given.ids)),
);

/** Files of issues by issue id, without those of their comments. One statement. */
export async function loadIssueAttachments(db: Reader, issueIds: readonly number[]): Promise<ReadonlyMap<number, readonly AttachmentView[]>> {
  if (issueIds.length === 0) return new Map();
  return grouped(await ofIssues(db, { ids: issueIds }), ({ issue_id }) => issue_id);
}

/** Files of comments by comment id. One statement. */
export async function loadCommentAttachments(db: Reader, commentIds: readonly number[]): Promise<ReadonlyMap<number, readonly AttachmentView[]>> {
  if (commentIds.length === 0) return new Map();
  return grouped(await ofComments(db, { ids: commentIds }), ({ comment_id }) => comment_id);
}

/** The text that files are attached to. */
export interface TextLocation {
  readonly repoId: number;
  readonly issueId: number;
  /** Null: the issue itself. */
  readonly commentId: number | null;
}

/** Attaches a user's pending uploads. One statement. @returns the attached files */
export function hangUploads(
  tx: Tx,
  uploaderId: number,
  { repoId, issueId, commentId }: TextLocation,
  uuids: readonly string[],
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  return tx.sql
    .updateTable("attachments")
    .set({ issue_id: issueId, comment_id: commentId })
    .where((eb) => anyOf(tx, eb.ref("uuid"), uuids))
    .where("uploader_id", "=", uploaderId)
    .where("repo_id", "=", repoId)
    .where("issue_id", "is", null)
    .where("release_id", "is", null)
    .returning(["id", "name"])
    .execute();
}
