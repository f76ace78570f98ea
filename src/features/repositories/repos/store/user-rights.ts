import { sql } from "kysely";
import type { RepositoryRightInput } from "../../../../access/repository.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import { parseSettings } from "../settings.ts";
import { teamGrants, toRightInput } from "./located.ts";

const select = compiled((db, given: Slots<{ repoId: number; accountIds: readonly number[] }>) =>
  db.sql
    .selectFrom("accounts as a")
    .innerJoin("repositories as r", (join) => join.on("r.id", "=", given.repoId))
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .leftJoin("collaborators as c", (join) => join.onRef("c.repo_id", "=", "r.id").onRef("c.account_id", "=", "a.id"))
    .leftJoin("organization_members as m", (join) => join.onRef("m.org_id", "=", "r.owner_id").onRef("m.account_id", "=", "a.id"))
    .select([
      "a.id",
      "r.id as repo_id",
      "r.owner_id",
      "o.visibility as owner_visibility",
      "r.is_private",
      "r.settings",
      "c.mode as collaborator_mode",
      "m.account_id as member_id",
      teamGrants(sql<number>`a.id`).as("grants"),
    ])
    .where("r.deleted_ms", "is", null)
    .where((eb) => anyOf(db, eb.ref("a.id"), given.accountIds)),
);

/** The inputs that are needed to evaluate the permissions of some accounts on one repository, by account. One statement for any number. */
export async function loadRightInputsOf(db: Reader, repoId: number, accountIds: readonly number[]): Promise<ReadonlyMap<number, RepositoryRightInput>> {
  const rows = await select(db, { repoId, accountIds });
  return new Map(rows.map((row) => [row.id, toRightInput(row, row.repo_id, parseSettings(row.settings))]));
}
