import { sql } from "kysely";
import type { Page } from "../../core/paging.ts";
import type { Reader, Tx } from "../../db/db.ts";
import type { CommitStatusesTable } from "../../db/tables/statuses.ts";
import type { Oid } from "../../git/types.ts";
import type { NewStatus, StatusOrder } from "./view.ts";

export type StatusRow = Omit<CommitStatusesTable, "id"> & { readonly id: number };

/** Of one commit of a repository. */
interface Place {
  readonly repoId: number;
  readonly oid: Oid;
}

/** Adds a status under the next number of its commit. Two statements. */
export async function insertStatus(tx: Tx, { repoId, oid }: Place, creatorId: number, status: NewStatus): Promise<StatusRow> {
  const last = await tx.sql
    .selectFrom("commit_statuses")
    .select((eb) => eb.fn.max("number").as("number"))
    .where("repo_id", "=", repoId)
    .where("oid", "=", oid)
    .executeTakeFirst();
  return tx.sql
    .insertInto("commit_statuses")
    .values({
      repo_id: repoId,
      oid,
      number: (last?.number ?? 0) + 1,
      context: status.context,
      state: status.state,
      description: status.description,
      target_url: status.targetUrl,
      creator_id: creatorId,
      created_ms: tx.nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface StatusRows {
  readonly rows: readonly StatusRow[];
  readonly total: number;
}

const isDescending: Readonly<Record<StatusOrder, boolean>> = { newest: true, oldest: false, lowest: false, highest: true };

/** All statuses of a commit. Statuses are never changed, so their numbers are also the order in which they came. Two statements. */
export async function pageStatuses(db: Reader, { repoId, oid }: Place, order: StatusOrder, state: string | undefined, page: Page): Promise<StatusRows> {
  let query = db.sql.selectFrom("commit_statuses").where("repo_id", "=", repoId).where("oid", "=", oid);
  if (state !== undefined) query = query.where("state", "=", state);
  const counted = await query.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy("number", isDescending[order] ? "desc" : "asc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, total: Number(counted.n) };
}

/** The newest status of each context of a commit, in the order in which they came: those of a page, and the states of all. Two statements. */
export async function pageLatest(db: Reader, { repoId, oid }: Place, page: Page): Promise<StatusRows & { readonly states: readonly string[] }> {
  const latest = sql<number>`(select max(n.number) from commit_statuses n where n.repo_id = s.repo_id and n.oid = s.oid and n.context = s.context)`;
  const query = db.sql.selectFrom("commit_statuses as s").where("s.repo_id", "=", repoId).where("s.oid", "=", oid).where("s.number", "=", latest);
  const states = await query.select("s.state").execute();
  const rows = await query.selectAll("s").orderBy("s.number").limit(page.limit).offset(page.offset).execute();
  return { rows, total: states.length, states: states.map((row) => row.state) };
}
