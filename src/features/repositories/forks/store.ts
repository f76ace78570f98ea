import { sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader } from "../../../db/db.ts";

const selectForkName = compiled((db, given: Slots<{ parentId: number; ownerId: number }>) =>
  db.sql.selectFrom("repositories").select("name").where("fork_of", "=", given.parentId).where("owner_id", "=", given.ownerId).where("deleted_ms", "is", null),
);

/** The name of an owner's fork of a repository. */
export async function findForkName(db: Reader, parentId: number, ownerId: number): Promise<string | undefined> {
  const [row] = await selectForkName(db, { parentId, ownerId });
  return row?.name;
}

/** The direct forks of a repository that some accounts own. */
export async function findForksOf(
  db: Reader,
  parentId: number,
  ownerIds: readonly number[],
): Promise<readonly { readonly id: number; readonly ownerId: number }[]> {
  const rows = await db.sql
    .selectFrom("repositories")
    .select(["id", "owner_id"])
    .where("fork_of", "=", parentId)
    .where("deleted_ms", "is", null)
    .where((eb) => anyOf(db, eb.ref("owner_id"), ownerIds))
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id }));
}

/** The attributes that a fork copies from its parent. */
export interface Origin {
  readonly description: string;
  /** Whether the parent is private itself, or by the visibility of its owner. */
  readonly isPrivate: boolean;
  readonly licenses: readonly string[];
  readonly language: string;
}

const selectOrigin = compiled((db, given: Slots<{ id: number }>) =>
  db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["r.description", "r.is_private", "r.licenses", "r.language", "o.visibility"])
    .where("r.id", "=", given.id)
    .where("r.deleted_ms", "is", null),
);

export async function findOrigin(db: Reader, id: number): Promise<Origin | undefined> {
  const [row] = await selectOrigin(db, { id });
  return (
    row && {
      description: row.description,
      isPrivate: row.is_private === 1 || row.visibility === "private",
      licenses: row.licenses === "" ? [] : row.licenses.split(","),
      language: row.language,
    }
  );
}

/** An account's repository in the fork network of another one. The closest one first: a direct fork precedes more distant ones. */
export async function findInNetwork(db: Reader, repoId: number, ownerId: number): Promise<number | undefined> {
  const row = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("repositories as b", (join) => join.on("b.id", "=", repoId))
    .select("r.id")
    .where("r.owner_id", "=", ownerId)
    .where("r.deleted_ms", "is", null)
    .where(sql<boolean>`coalesce(r.network_id, r.id) = coalesce(b.network_id, b.id)`)
    .orderBy(sql`case when r.fork_of = b.id or b.fork_of = r.id then 0 else 1 end`)
    .orderBy("r.id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Whether two repositories are in the same fork network. */
export async function isSameNetwork(db: Reader, oneId: number, otherId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("repositories as a")
    .innerJoin("repositories as b", (join) => join.on("b.id", "=", otherId))
    .select("a.id")
    .where("a.id", "=", oneId)
    .where(sql<boolean>`coalesce(a.network_id, a.id) = coalesce(b.network_id, b.id)`)
    .executeTakeFirst();
  return row !== undefined;
}
