import { sql, type Updateable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ReviewKind, ReviewsTable } from "../../../../db/tables/reviews.ts";
import type { ReviewRow } from "../model.ts";

const commentsCount = sql<number>`(select count(*) from review_comments rc where rc.review_id = r.id)`;
const firstComment = sql<number | null>`(select min(rc.comment_id) from review_comments rc where rc.review_id = r.id)`;

const selectRows = (db: Reader) =>
  db.sql
    .selectFrom("reviews as r")
    .leftJoin("comments as entry", "entry.id", "r.entry_id")
    .select([
      "entry.original_author",
      "entry.original_author_id",
      "r.id",
      "r.issue_id",
      "r.kind",
      "r.reviewer_id",
      "r.team_id",
      "r.content",
      "r.commit_oid",
      "r.seen_oid",
      "r.base_branch",
      "r.is_official",
      "r.is_dismissed",
      "r.entry_id",
      "r.created_ms",
      "r.updated_ms",
      commentsCount.as("comments_count"),
      firstComment.as("first_comment_id"),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>["executeTakeFirstOrThrow"]>>;

const toRow = (row: Row): ReviewRow => ({
  id: row.id,
  issueId: row.issue_id,
  kind: row.kind,
  reviewerId: row.reviewer_id,
  teamId: row.team_id,
  content: row.content,
  commitOid: row.commit_oid,
  seenOid: row.seen_oid,
  baseBranch: row.base_branch,
  isOfficial: row.is_official === 1,
  isDismissed: row.is_dismissed === 1,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
  commentsCount: Number(row.comments_count),
  originalAuthor: row.original_author ?? "",
  originalAuthorId: row.original_author_id ?? 0,
  anchorId: row.kind === "request" ? null : (row.entry_id ?? row.first_comment_id),
});

const byId = compiled((db, given: Slots<{ repoId: number; id: number }>) =>
  selectRows(db).innerJoin("issues as i", "i.id", "r.issue_id").where("r.id", "=", given.id).where("i.repo_id", "=", given.repoId),
);

/** A review of one repository, including pending ones. */
export async function findReviewRow(db: Reader, repoId: number, id: number): Promise<ReviewRow | undefined> {
  const [row] = await byId(db, { repoId, id });
  return row && toRow(row);
}

const byIds = compiled((db, given: Slots<{ issueId: number; ids: readonly number[] }>) =>
  selectRows(db)
    .where("r.issue_id", "=", given.issueId)
    .where((eb) => anyOf(db, eb.ref("r.id"), given.ids))
    .where("r.kind", "<>", "pending"),
);

/** Reviews of one pull request, without pending ones. One statement. */
export async function loadReviewRows(db: Reader, issueId: number, ids: readonly number[]): Promise<readonly ReviewRow[]> {
  return ids.length === 0 ? [] : (await byIds(db, { issueId, ids })).map(toRow);
}

/** A request to a deleted account is ignored. */
const requestsReviewer = sql<boolean>`not (r.kind = 'request' and r.reviewer_id is null and r.team_id is null)`;

const visible = compiled((db, given: Slots<{ issueId: number; viewerId: number; limit: number; offset: number }>) =>
  selectRows(db)
    .where("r.issue_id", "=", given.issueId)
    .where(requestsReviewer)
    .where((eb) => eb.or([eb("r.kind", "<>", "pending"), eb("r.reviewer_id", "=", given.viewerId)]))
    .orderBy("r.id")
    .limit(given.limit)
    .offset(given.offset),
);

const countVisible = compiled((db, given: Slots<{ issueId: number; viewerId: number }>) =>
  db.sql
    .selectFrom("reviews as r")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("r.issue_id", "=", given.issueId)
    .where(requestsReviewer)
    .where((eb) => eb.or([eb("r.kind", "<>", "pending"), eb("r.reviewer_id", "=", given.viewerId)])),
);

/** A page of a pull request's reviews for one viewer, oldest first. At most two statements. @param viewerId 0: anonymous */
export async function pageReviews(db: Reader, issueId: number, viewerId: number, page: Page): Promise<Paged<ReviewRow>> {
  const items = (await visible(db, { issueId, viewerId, limit: page.limit, offset: page.offset })).map(toRow);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const [counted] = await countVisible(db, { issueId, viewerId });
  return { items, total: Number(counted?.total ?? 0) };
}

const ofReviewers = compiled((db, given: Slots<{ issueId: number; reviewerIds: readonly number[] }>) =>
  selectRows(db)
    .where("r.issue_id", "=", given.issueId)
    .where((eb) => anyOf(db, eb.ref("r.reviewer_id").$castTo<number>(), given.reviewerIds))
    .orderBy("r.id"),
);

/** All reviews and requests of some users, oldest first. One statement. */
export async function listReviewsOf(db: Reader, issueId: number, reviewerIds: readonly number[]): Promise<readonly ReviewRow[]> {
  return reviewerIds.length === 0 ? [] : (await ofReviewers(db, { issueId, reviewerIds })).map(toRow);
}

/** Teams requested for a pull request, by request id. One statement. */
export async function listRequestedTeams(db: Reader, issueId: number): Promise<readonly { readonly id: number; readonly teamId: number }[]> {
  const rows = await db.sql
    .selectFrom("reviews")
    .select(["id", "team_id"])
    .where("issue_id", "=", issueId)
    .where("kind", "=", "request")
    .where("team_id", "is not", null)
    .execute();
  return rows.flatMap(({ id, team_id: teamId }) => (teamId === null ? [] : { id, teamId }));
}

const counting = compiled((db, given: Slots<{ issueId: number }>) =>
  selectRows(db).where("r.issue_id", "=", given.issueId).where("r.is_official", "=", 1).where("r.is_dismissed", "=", 0).where(requestsReviewer),
);

/** Reviews that count for branch rules: official, and not dismissed. One statement. */
export async function listOfficial(db: Reader, issueId: number): Promise<readonly ReviewRow[]> {
  return (await counting(db, { issueId })).map(toRow);
}

const unofficialApprovals = compiled((db, given: Slots<{ issueId: number; limit: number }>) =>
  selectRows(db)
    .where("r.issue_id", "=", given.issueId)
    .where("r.kind", "=", "approve")
    .where("r.is_official", "=", 0)
    .where("r.is_dismissed", "=", 0)
    .where("r.reviewer_id", "is not", null)
    .orderBy("r.id", "desc")
    .limit(given.limit),
);

/** The latest approvals that are not official and not dismissed. One statement. */
export async function listUnofficialApprovals(db: Reader, issueId: number, limit: number): Promise<readonly ReviewRow[]> {
  return (await unofficialApprovals(db, { issueId, limit })).map(toRow);
}

const lastOfEach = compiled((db, given: Slots<{ issueId: number }>) =>
  db.sql
    .selectFrom("reviews as r")
    .select((eb) => ["r.reviewer_id", "r.kind", eb.fn.max<number>("r.id").as("id")])
    .where("r.issue_id", "=", given.issueId)
    .where("r.kind", "in", ["approve", "reject", "comment"])
    .where("r.is_dismissed", "=", 0)
    .where("r.reviewer_id", "is not", null)
    .groupBy(["r.reviewer_id", "r.kind"]),
);

/** The latest review of each kind by each reviewer that is not dismissed. One statement. */
export async function listLastOfEach(
  db: Reader,
  issueId: number,
): Promise<readonly { readonly id: number; readonly reviewerId: number; readonly kind: ReviewKind }[]> {
  const rows = await lastOfEach(db, { issueId });
  return rows.flatMap(({ id, kind, reviewer_id: reviewerId }) => (reviewerId === null ? [] : { id, kind, reviewerId }));
}

export interface NewReview {
  readonly issueId: number;
  readonly kind: ReviewKind;
  readonly reviewerId: number | null;
  readonly teamId?: number;
  readonly content: string;
  readonly commitOid: string;
  readonly seenOid: string;
  readonly baseBranch: string;
  readonly isOfficial: boolean;
}

/** If a concurrent transaction inserts the same request or pending review, this transaction is retried and finds it. */
export async function insertReview(tx: Tx, review: NewReview): Promise<number> {
  const { id } = await tx.sql
    .insertInto("reviews")
    .values({
      issue_id: review.issueId,
      kind: review.kind,
      reviewer_id: review.reviewerId,
      team_id: review.teamId ?? null,
      content: review.content,
      commit_oid: review.commitOid,
      seen_oid: review.seenOid,
      base_branch: review.baseBranch,
      is_official: review.isOfficial ? 1 : 0,
      entry_id: null,
      created_ms: tx.nowMs,
      updated_ms: tx.nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateReview(tx: Tx, id: number, changes: Updateable<ReviewsTable>): Promise<void> {
  await tx.sql
    .updateTable("reviews")
    .set({ ...changes, updated_ms: tx.nowMs })
    .where("id", "=", id)
    .execute();
}

/** Whether a head of a pull request was reviewed. */
export async function hasReviewsOf(db: Reader, issueId: number, headOid: string): Promise<boolean> {
  const row = await db.sql
    .selectFrom("reviews")
    .select("id")
    .where("issue_id", "=", issueId)
    .where("seen_oid", "=", headOid)
    .where("kind", "<>", "request")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves the reviews of one head to another. */
export async function updateSeen(tx: Tx, issueId: number, { fromOid, toOid }: { readonly fromOid: string; readonly toOid: string }): Promise<void> {
  await tx.sql.updateTable("reviews").set({ seen_oid: toOid }).where("issue_id", "=", issueId).where("seen_oid", "=", fromOid).execute();
}

/** Supersedes earlier reviews: `dismissed`, or only unofficial for branch rules. */
export async function supersede(tx: Tx, issueId: number, reviewerIds: readonly number[], how: "dismissed" | "unofficial"): Promise<void> {
  if (reviewerIds.length === 0) return;
  await tx.sql
    .updateTable("reviews")
    .set(how === "dismissed" ? { is_official: 0, is_dismissed: 1 } : { is_official: 0 })
    .where("issue_id", "=", issueId)
    .where("kind", "in", ["approve", "reject"])
    .where((eb) => anyOf(tx, eb.ref("reviewer_id").$castTo<number>(), reviewerIds))
    .execute();
}

export async function deleteReviews(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql
    .deleteFrom("reviews")
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}

/** Deletes the requests that a user's review answers. */
export async function deleteRequestsOf(tx: Tx, issueId: number, reviewerId: number): Promise<void> {
  await tx.sql
    .deleteFrom("reviews")
    .where("issue_id", "=", issueId)
    .where("kind", "=", "request")
    .where("team_id", "is", null)
    .where("reviewer_id", "=", reviewerId)
    .execute();
}
