import { sql } from "kysely";
import type { Actor } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { visibleAccounts } from "../visible.ts";

export async function hasFollow(db: Reader, accountId: number, targetId: number): Promise<boolean> {
  const row = await db.sql.selectFrom("follows").select("account_id").where("target_id", "=", targetId).where("account_id", "=", accountId).executeTakeFirst();
  return row !== undefined;
}

/**
 * Inserts and counts a follow; an existing one stays. Throws a foreign key violation when either account is gone.
 * @returns whether it is new
 */
export async function insertFollow(tx: Tx, accountId: number, targetId: number): Promise<boolean> {
  const rows = await tx.sql
    .insertInto("follows")
    .values({ account_id: accountId, target_id: targetId, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["target_id", "account_id"]).doNothing())
    .returning("target_id")
    .execute();
  if (rows.length > 0) await count(tx, accountId, targetId, 1);
  return rows.length > 0;
}

/** Deletes a follow. @returns whether there was one */
export async function deleteFollow(tx: Tx, accountId: number, targetId: number): Promise<boolean> {
  const rows = await tx.sql.deleteFrom("follows").where("account_id", "=", accountId).where("target_id", "=", targetId).returning("target_id").execute();
  if (rows.length > 0) await count(tx, accountId, targetId, -1);
  return rows.length > 0;
}

async function count(tx: Tx, accountId: number, targetId: number, change: 1 | -1): Promise<void> {
  await tx.sql
    .updateTable("accounts")
    .set((eb) => ({ following_count: eb("following_count", "+", change) }))
    .where("id", "=", accountId)
    .execute();
  await tx.sql
    .updateTable("accounts")
    .set((eb) => ({ followers_count: eb("followers_count", "+", change) }))
    .where("id", "=", targetId)
    .execute();
}

/** Deletes all follows by and of an account and updates the counts. */
export async function deleteFollowsOf(tx: Tx, id: number): Promise<void> {
  const rows = await tx.sql
    .deleteFrom("follows")
    .where((eb) => eb.or([eb("account_id", "=", id), eb("target_id", "=", id)]))
    .returning(["account_id", "target_id"])
    .execute();
  const others = [...new Set(rows.flatMap((row) => [row.account_id, row.target_id]))];
  if (others.length === 0) return;
  await tx.sql
    .updateTable("accounts")
    .set({
      followers_count: sql<number>`(select count(*) from follows f where f.target_id = accounts.id)`,
      following_count: sql<number>`(select count(*) from follows f where f.account_id = accounts.id)`,
    })
    .where((eb) => anyOf(tx, eb.ref("id"), others))
    .execute();
}

/** Ids of one page of an account's followers or followed accounts that the actor can see, oldest follow first. At most two statements. */
export async function pageFollowIds(db: Reader, accountId: number, side: "followers" | "following", actor: Actor, page: Page): Promise<Paged<number>> {
  const [own, other] = side === "followers" ? (["f.target_id", "f.account_id"] as const) : (["f.account_id", "f.target_id"] as const);
  const { visibilities, viewerId } = visibleAccounts(actor);
  const query = db.sql
    .selectFrom("follows as f")
    .innerJoin("accounts as a", "a.id", other)
    .where(own, "=", accountId)
    .where((eb) =>
      eb.or([
        eb("a.visibility", "in", [...visibilities]),
        eb("a.id", "=", viewerId),
        eb("a.id", "in", eb.selectFrom("organization_members as m").select("m.org_id").where("m.account_id", "=", viewerId)),
      ]),
    );
  const rows = await query.select("a.id").orderBy("f.created_ms").orderBy("a.id").limit(page.limit).offset(page.offset).execute();
  const items = rows.map((row) => row.id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}
