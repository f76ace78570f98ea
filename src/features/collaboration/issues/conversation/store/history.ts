import type { Reader } from "../../../../../db/db.ts";

export interface TextVersionRow {
  readonly editorId: number | null;
  readonly content: string;
  readonly writtenMs: number;
}

/** Latest versions of an issue's text, or of a comment under it, newest first. One statement. */
export async function listVersions(
  db: Reader,
  of: { readonly issueId: number; readonly commentId: number | null },
  limit: number,
): Promise<readonly TextVersionRow[]> {
  const all = db.sql.selectFrom("content_history").where("issue_id", "=", of.issueId);
  return (of.commentId === null ? all.where("comment_id", "is", null) : all.where("comment_id", "=", of.commentId))
    .select(["editor_id as editorId", "content", "written_ms as writtenMs"])
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
