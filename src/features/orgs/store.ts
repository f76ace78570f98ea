import { foldName } from "../../core/names.ts";
import type { Reader } from "../../db/db.ts";

/** An organization as an address names it, and an actor's place in it. */
export interface LocatedOrganization {
  readonly id: number;
  readonly name: string;
  readonly visibility: "public" | "limited" | "private";
  readonly isMember: boolean;
  readonly isOwner: boolean;
}

/** @param actorId 0 for an anonymous actor */
export async function locateOrganization(db: Reader, name: string, actorId: number): Promise<LocatedOrganization | undefined> {
  const row = await db.sql
    .selectFrom("accounts as o")
    .leftJoin("organization_members as m", (join) => join.onRef("m.org_id", "=", "o.id").on("m.account_id", "=", actorId))
    .select((select) => [
      "o.id",
      "o.name",
      "o.visibility",
      "m.account_id as member_id",
      select
        .selectFrom("teams as t")
        .innerJoin("team_members as tm", "tm.team_id", "t.id")
        .select(select.fn.countAll<number>().as("n"))
        .whereRef("t.org_id", "=", "o.id")
        .where("t.mode", "=", "owner")
        .where("tm.account_id", "=", actorId)
        .as("owner_teams"),
    ])
    .where("o.name_folded", "=", foldName(name))
    .where("o.kind", "=", "organization")
    .executeTakeFirst();
  return row && { id: row.id, name: row.name, visibility: row.visibility, isMember: row.member_id !== null, isOwner: Number(row.owner_teams) > 0 };
}
