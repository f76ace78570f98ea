import type { Actor } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { visibleAccounts } from "../visible.ts";

const selectBlock = compiled((db, given: Slots<{ blockerId: number; accountId: number }>) =>
  db.sql.selectFrom("blocks").select("account_id").where("blocker_id", "=", given.blockerId).where("account_id", "=", given.accountId),
);

export const hasBlock = async (db: Reader, blockerId: number, accountId: number): Promise<boolean> =>
  (await selectBlock(db, { blockerId, accountId })).length > 0;

/** Whether either of two accounts blocks the other. */
export async function hasBlockBetween(db: Reader, one: number, other: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("blocks")
    .select("account_id")
    .where("blocker_id", "in", [one, other])
    .where("account_id", "in", [one, other])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const selectBlockers = compiled((db, given: Slots<{ blockerIds: readonly number[]; accountId: number }>) =>
  db.sql
    .selectFrom("blocks")
    .select("blocker_id")
    .where("account_id", "=", given.accountId)
    .where((eb) => anyOf(db, eb.ref("blocker_id"), given.blockerIds)),
);

/** Those of some accounts that block another one. One statement. */
export async function listBlockers(db: Reader, blockerIds: readonly number[], accountId: number): Promise<readonly number[]> {
  return (await selectBlockers(db, { blockerIds, accountId })).map((row) => row.blocker_id);
}

/** Throws a unique violation for an existing block. */
export async function insertBlock(tx: Tx, blockerId: number, accountId: number, note: string): Promise<void> {
  await tx.sql.insertInto("blocks").values({ blocker_id: blockerId, account_id: accountId, note, created_ms: tx.nowMs }).execute();
}

/** @returns whether there was one */
export async function deleteBlock(tx: Tx, blockerId: number, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("blocks")
    .where("blocker_id", "=", blockerId)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Ids of one page of the accounts that an account blocks and the actor can see, newest first. At most two statements. */
export async function pageBlockedIds(db: Reader, blockerId: number, actor: Actor, page: Page): Promise<Paged<number>> {
  const { visibilities } = visibleAccounts(actor);
  const query = db.sql
    .selectFrom("blocks as b")
    .innerJoin("accounts as a", "a.id", "b.account_id")
    .where("b.blocker_id", "=", blockerId)
    .where("a.visibility", "in", [...visibilities]);
  const rows = await query.select("a.id").orderBy("b.created_ms", "desc").orderBy("a.id", "desc").limit(page.limit).offset(page.offset).execute();
  const items = rows.map((row) => row.id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}
