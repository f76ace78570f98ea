import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Reader, Tx } from "../../../db/db.ts";
import { maxPins, type PinningAccount } from "./model.ts";

/**
 * The pinned repositories that a caller can read, in order. Organizations show only their own. One statement.
 * @param isReadable condition on a repository `r` with its owner `o`
 */
export async function listPinnedIds(db: Reader, isReadable: RawBuilder<SqlBool>, account: PinningAccount): Promise<readonly number[]> {
  const isOwn = account.kind === "organization" ? sql` and r.owner_id = ${account.id}` : sql``;
  const { rows } = await sql<{ id: number }>`
    select r.id as id from pinned_repositories p join repositories r on r.id = p.repo_id join accounts o on o.id = r.owner_id
    where p.account_id = ${account.id} and ${isReadable}${isOwn} order by p.position, p.repo_id limit ${maxPins}`.execute(db.sql);
  return rows.map(({ id }) => id);
}

/** Replaces the pinned repositories of an account. At most two statements. */
export async function savePins(tx: Tx, accountId: number, ids: readonly number[]): Promise<void> {
  await tx.sql.deleteFrom("pinned_repositories").where("account_id", "=", accountId).execute();
  if (ids.length === 0) return;
  await tx.sql
    .insertInto("pinned_repositories")
    .values(ids.map((repo_id, at) => ({ account_id: accountId, repo_id, position: at + 1 })))
    .execute();
}
