import type { Reader } from "../../../../db/db.ts";
import type { IdentityView } from "../model.ts";

/** Two statements. */
export async function findIdentity(db: Reader, accountId: number): Promise<IdentityView | undefined> {
  const [row, groups] = await Promise.all([
    db.sql
      .selectFrom("accounts as a")
      .leftJoin("account_emails as e", (join) => join.onRef("e.account_id", "=", "a.id").on("e.is_primary", "=", 1))
      .select(["a.id", "a.name", "a.full_name", "a.email", "a.avatar", "a.website", "a.language", "a.updated_ms", "e.is_verified"])
      .where("a.id", "=", accountId)
      .executeTakeFirst(),
    listGroups(db, accountId),
  ]);
  return (
    row && {
      id: row.id,
      name: row.name,
      fullName: row.full_name,
      email: row.email,
      isEmailVerified: row.is_verified === 1,
      avatar: row.avatar,
      website: row.website,
      language: row.language,
      updatedMs: row.updated_ms,
      groups,
    }
  );
}

async function listGroups(db: Reader, accountId: number): Promise<readonly string[]> {
  const rows = await db.sql
    .selectFrom("team_members as m")
    .innerJoin("teams as t", "t.id", "m.team_id")
    .innerJoin("accounts as o", "o.id", "m.org_id")
    .where("m.account_id", "=", accountId)
    .select(["o.name as organization", "t.name as team"])
    .orderBy("o.name_folded")
    .orderBy("t.name_folded")
    .execute();
  return [...new Set(rows.flatMap(({ organization, team }) => [organization, `${organization}:${team.toLowerCase()}`]))];
}
