import type { Tx } from "../../../../db/db.ts";
import type { ReviewKind } from "../../../../db/tables/reviews.ts";
import type { Oid } from "../../../../git/types.ts";

export interface ImportedReviewRow {
  readonly issueId: number;
  readonly kind: Exclude<ReviewKind, "pending" | "request">;
  readonly content: string;
  readonly commitOid: Oid;
  readonly seenOid: Oid;
  readonly baseBranch: string;
  readonly isDismissed: boolean;
  readonly entryId: number;
  readonly createdMs: number;
}

/** Imported reviews, without reviewer accounts, so that none counts for a rule. @returns their ids, in the same order */
export async function insertImportedReviews(tx: Tx, rows: readonly ImportedReviewRow[]): Promise<readonly number[]> {
  const made = await tx.sql
    .insertInto("reviews")
    .values(
      rows.map((row) => ({
        issue_id: row.issueId,
        kind: row.kind,
        reviewer_id: null,
        content: row.content,
        commit_oid: row.commitOid,
        seen_oid: row.seenOid,
        base_branch: row.baseBranch,
        is_official: 0,
        is_dismissed: row.isDismissed ? 1 : 0,
        entry_id: row.entryId,
        created_ms: row.createdMs,
        updated_ms: row.createdMs,
      })),
    )
    .returning("id")
    .execute();
  return made.map(({ id }) => id).sort((a, b) => a - b);
}
