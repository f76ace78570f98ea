import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

/** Target of a reaction: an issue or one of its comments. */
export interface ReactionTarget {
  readonly issueId: number;
  readonly commentId: number | null;
}

export interface ReactionRow {
  /** Null: a user at the import source. */
  readonly accountId: number | null;
  readonly content: string;
  readonly createdMs: number;
}

const of = (db: Reader, { issueId, commentId }: ReactionTarget) => {
  const all = db.sql.selectFrom("reactions").where("issue_id", "=", issueId);
  return commentId === null ? all.where("comment_id", "is", null) : all.where("comment_id", "=", commentId);
};

/** A page of reactions, oldest first; all of them without a page. At most two statements. */
export async function pageReactions(db: Reader, target: ReactionTarget, page?: Page): Promise<Paged<ReactionRow>> {
  const query = of(db, target);
  let listed = query.select(["account_id as accountId", "content", "created_ms as createdMs"]).orderBy("id");
  if (page !== undefined) listed = listed.limit(page.limit).offset(page.offset);
  const items = await listed.execute();
  if (page === undefined || (items.length < page.limit && (items.length > 0 || page.offset === 0))) {
    return { items, total: (page?.offset ?? 0) + items.length };
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

export interface ReactionCountRow {
  /** Null: a reaction to the issue itself. */
  readonly commentId: number | null;
  readonly content: string;
  readonly count: number;
  readonly isOwn: boolean;
}

/** Reaction counts of an issue and some of its comments, earliest content first. One statement. */
export async function countReactions(db: Reader, issueId: number, commentIds: readonly number[], accountId: number): Promise<readonly ReactionCountRow[]> {
  const rows = await db.sql
    .selectFrom("reactions")
    .select((eb) => [
      "comment_id as commentId",
      "content",
      eb.fn.countAll<number>().as("count"),
      eb.fn.max(eb.case().when("account_id", "=", accountId).then(1).else(0).end()).as("isOwn"),
    ])
    .where("issue_id", "=", issueId)
    .where((eb) => eb.or([eb("comment_id", "is", null), anyOf(db, eb.ref("comment_id").$castTo<number>(), commentIds)]))
    .groupBy(["comment_id", "content"])
    .orderBy((eb) => eb.fn.min("id"))
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count), isOwn: Number(row.isOwn) === 1 }));
}

/** @returns the creation time, and whether the reaction is new */
export async function insertReaction(
  tx: Tx,
  target: ReactionTarget,
  accountId: number,
  content: string,
): Promise<{ readonly createdMs: number; readonly isNew: boolean }> {
  const known = await of(tx, target).select("created_ms").where("account_id", "=", accountId).where("content", "=", content).executeTakeFirst();
  if (known !== undefined) return { createdMs: known.created_ms, isNew: false };
  await tx.sql
    .insertInto("reactions")
    .values({ issue_id: target.issueId, comment_id: target.commentId, account_id: accountId, content, created_ms: tx.nowMs })
    .execute();
  return { createdMs: tx.nowMs, isNew: true };
}

export async function deleteReaction(tx: Tx, { issueId, commentId }: ReactionTarget, accountId: number, content: string): Promise<void> {
  const own = tx.sql.deleteFrom("reactions").where("issue_id", "=", issueId).where("account_id", "=", accountId).where("content", "=", content);
  await (commentId === null ? own.where("comment_id", "is", null) : own.where("comment_id", "=", commentId)).execute();
}
