import { anyOf } from "../../../db/any-of.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { BadgeView } from "./model.ts";

const columns = ["b.id", "b.slug", "b.description", "b.image_url as imageUrl"] as const;

export const listBadges = (db: Reader): Promise<BadgeView[]> => db.sql.selectFrom("badges as b").select(columns).orderBy("b.slug").execute();

export const listBadgesOf = (db: Reader, accountId: number): Promise<BadgeView[]> =>
  db.sql
    .selectFrom("badges as b")
    .innerJoin("user_badges as ub", "ub.badge_id", "b.id")
    .select(columns)
    .where("ub.account_id", "=", accountId)
    .orderBy("b.id")
    .execute();

export const findBadges = (db: Reader, slugs: readonly string[]): Promise<BadgeView[]> =>
  db.sql
    .selectFrom("badges as b")
    .select(columns)
    .where((eb) => anyOf(db, eb.ref("b.slug"), slugs))
    .orderBy("b.slug")
    .execute();

/** Throws a unique violation for a slug in use. */
export async function insertBadge(tx: Tx, badge: Omit<BadgeView, "id">): Promise<void> {
  await tx.sql.insertInto("badges").values({ slug: badge.slug, description: badge.description, image_url: badge.imageUrl }).execute();
}

/** @returns whether there was one */
export async function deleteBadge(tx: Tx, slug: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("badges").where("slug", "=", slug).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** @returns the ids of the added badges */
export async function giveBadges(tx: Tx, accountId: number, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await tx.sql
    .insertInto("user_badges")
    .values(ids.map((id) => ({ account_id: accountId, badge_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("badge_id")
    .execute();
  return rows.map((row) => row.badge_id);
}

/** @returns the ids of the removed badges */
export async function takeBadges(tx: Tx, accountId: number, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await tx.sql
    .deleteFrom("user_badges")
    .where("account_id", "=", accountId)
    .where((eb) => anyOf(tx, eb.ref("badge_id"), ids))
    .returning("badge_id")
    .execute();
  return rows.map((row) => row.badge_id);
}

/** Totals of all kinds. One statement. */
export async function countEverything(db: Reader): Promise<Record<"users" | "organizations" | "repositories" | "issues" | "hooks", number>> {
  const row = await db.sql
    .selectNoFrom((eb) => {
      const ofKind = (kind: "user" | "organization") =>
        eb
          .selectFrom("account_totals")
          .select((of) => of.fn.sum<number>("n").as("n"))
          .where("kind", "=", kind);
      return [
        ofKind("user").as("users"),
        ofKind("organization").as("organizations"),
        // The audience of a deleted repository is 0.
        eb
          .selectFrom("repository_totals")
          .select((of) => of.fn.sum<number>("n").as("n"))
          .where("audience", ">", 0)
          .as("repositories"),
        eb
          .selectFrom("issue_totals")
          .select((of) => of.fn.sum<number>("n").as("n"))
          .as("issues"),
        eb
          .selectFrom("hooks")
          .select((of) => of.fn.countAll<number>().as("n"))
          .as("hooks"),
      ];
    })
    .executeTakeFirstOrThrow();
  return {
    users: Number(row.users),
    organizations: Number(row.organizations),
    repositories: Number(row.repositories),
    issues: Number(row.issues),
    hooks: Number(row.hooks),
  };
}
