import type { Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { loadApprovers } from "../../../repositories/protections/service/approvers.ts";
import { rightsOfUsers } from "../../../repositories/repos/service/user-rights.ts";
import { noteEntryPayload } from "../../issues/import/service.ts";
import type { LineLocation } from "../model.ts";
import { insertReviewComments } from "../store/comments.ts";
import { type ImportedReviewRow, insertImportedReviews } from "../store/import.ts";
import { insertReview } from "../store/reviews.ts";

/** An imported review, whose texts are timeline entries already. */
export interface ImportedReview extends ImportedReviewRow {
  readonly comments: readonly ImportedLineComment[];
}

export interface ImportedLineComment extends LineLocation {
  readonly entryId: number;
  readonly writtenOid: string;
  readonly commitOid: string;
  readonly hunk: string;
}

/** A pending reviewer. */
export interface ImportedRequest {
  readonly issueId: number;
  readonly reviewerId: number;
  readonly headOid: Oid;
  readonly baseBranch: string;
}

const batch = 100;

/** Inserts imported review requests in the transaction that creates the repository; sends no notifications. */
export async function importRequests(tx: Tx, repoId: number, requests: readonly ImportedRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const users = [...(await loadUsers({ db: tx }, [...new Set(requests.map(({ reviewerId }) => reviewerId))])).values()];
  const rights = await rightsOfUsers({ db: tx }, repoId, users);
  for (const { issueId, reviewerId, headOid: seenOid, baseBranch } of requests) {
    const right = rights.get(reviewerId);
    const isOfficial = right !== undefined && (await loadApprovers(tx, repoId, baseBranch)).isOfficial({ id: reviewerId, right });
    await insertReview(tx, { issueId, kind: "request", reviewerId, content: "", commitOid: "", seenOid, baseBranch, isOfficial });
  }
}

/** Inserts imported reviews in the transaction that creates the repository, after their timeline entries. */
export async function importReviews(tx: Tx, reviews: readonly ImportedReview[]): Promise<void> {
  // Comments on the same line form one conversation across reviews.
  const threads = new Map<string, number>();
  for (let at = 0; at < reviews.length; at += batch) {
    const part = reviews.slice(at, at + batch);
    const ids = await insertImportedReviews(tx, part);
    const comments = part.flatMap((review, index) => review.comments.map((comment) => ({ ...comment, issueId: review.issueId, reviewId: ids[index] ?? 0 })));
    for (const [index, { entryId }] of part.entries()) await noteEntryPayload(tx, entryId, { reviewId: ids[index] ?? 0 });
    for (let from = 0; from < comments.length; from += batch) {
      const rows = comments.slice(from, from + batch).map(({ entryId: id, ...comment }) => {
        const key = `${comment.issueId} ${comment.side} ${comment.line} ${comment.path}`;
        const threadId = threads.get(key) ?? id;
        threads.set(key, threadId);
        return { ...comment, startLine: comment.line, id, threadId, resolverId: null };
      });
      await insertReviewComments(tx, rows);
    }
  }
}
