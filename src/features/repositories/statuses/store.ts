import { sql } from "kysely";
import type { Page } from "../../../core/paging.ts";
import { anyOf } from "../../../db/any-of.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { CommitStatusesTable } from "../../../db/tables/statuses.ts";
import type { Oid } from "../../../git/types.ts";
import type { NewStatus, StatusOrder } from "./model.ts";

export type StatusRow = Omit<CommitStatusesTable, "id"> & { readonly id: number };

/** One commit of a repository. */
interface Place {
  readonly repoId: number;
  readonly oid: Oid;
}

type NewRow = Slots<{
  repoId: number;
  oid: string;
  context: string;
  state: string;
  description: string;
  targetUrl: string;
  creatorId: number | null;
  nowMs: number;
}>;

const insertNext = compiled((tx: Tx, given: NewRow) =>
  tx.sql
    .insertInto("commit_statuses")
    .columns(["repo_id", "oid", "number", "context", "state", "description", "target_url", "creator_id", "created_ms"])
    .expression((eb) =>
      eb
        .selectFrom("commit_statuses as s")
        .select([
          sql<number>`cast(${given.repoId} as bigint)`.as("repo_id"),
          sql<string>`cast(${given.oid} as text)`.as("oid"),
          sql<number>`coalesce(max(s.number), 0) + 1`.as("number"),
          sql<string>`cast(${given.context} as text)`.as("context"),
          sql<string>`cast(${given.state} as text)`.as("state"),
          sql<string>`cast(${given.description} as text)`.as("description"),
          sql<string>`cast(${given.targetUrl} as text)`.as("target_url"),
          sql<number | null>`cast(${given.creatorId} as bigint)`.as("creator_id"),
          sql<number>`cast(${given.nowMs} as bigint)`.as("created_ms"),
        ])
        .where("s.repo_id", "=", given.repoId)
        .where("s.oid", "=", given.oid),
    )
    .returningAll(),
);

/** Inserts a status with the next number of its commit. One statement. */
export async function insertStatus(tx: Tx, { repoId, oid }: Place, creatorId: number | null, status: NewStatus): Promise<StatusRow> {
  const { context, state, description, targetUrl } = status;
  const [row] = await insertNext(tx, { repoId, oid, context, state, description, targetUrl, creatorId, nowMs: tx.nowMs });
  if (row === undefined) throw new Error("an inserted status is returned");
  return row;
}

export interface StatusRows {
  readonly rows: readonly StatusRow[];
  readonly total: number;
}

const isDescending: Readonly<Record<StatusOrder, boolean>> = { newest: true, oldest: false, lowest: false, highest: true };

/** All statuses of a commit. Statuses are never updated, so their numbers are also their order. Two statements. */
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

/** The latest status of each context of a commit, in order of creation: one page, and the states of all. Two statements. */
export async function pageLatest(db: Reader, { repoId, oid }: Place, page: Page): Promise<StatusRows & { readonly states: readonly string[] }> {
  const latest = sql<number>`(select max(n.number) from commit_statuses n where n.repo_id = s.repo_id and n.oid = s.oid and n.context = s.context)`;
  const query = db.sql.selectFrom("commit_statuses as s").where("s.repo_id", "=", repoId).where("s.oid", "=", oid).where("s.number", "=", latest);
  const states = await query.select("s.state").execute();
  const rows = await query.selectAll("s").orderBy("s.number").limit(page.limit).offset(page.offset).execute();
  return { rows, total: states.length, states: states.map((row) => row.state) };
}

/** The present state of each check of a commit. One statement. */
export async function listLatest(db: Reader, { repoId, oid }: Place): Promise<readonly Pick<StatusRow, "context" | "state">[]> {
  const latest = sql<number>`(select max(n.number) from commit_statuses n where n.repo_id = s.repo_id and n.oid = s.oid and n.context = s.context)`;
  return db.sql
    .selectFrom("commit_statuses as s")
    .select(["s.context", "s.state"])
    .where("s.repo_id", "=", repoId)
    .where("s.oid", "=", oid)
    .where("s.number", "=", latest)
    .execute();
}

/** The present state of each check of several commits. One statement. */
export async function listLatestOf(db: Reader, repoId: number, oids: readonly Oid[]): Promise<readonly Pick<StatusRow, "oid" | "state">[]> {
  if (oids.length === 0) return [];
  const latest = sql<number>`(select max(n.number) from commit_statuses n where n.repo_id = s.repo_id and n.oid = s.oid and n.context = s.context)`;
  return db.sql
    .selectFrom("commit_statuses as s")
    .select(["s.oid", "s.state"])
    .where("s.repo_id", "=", repoId)
    .where((eb) => anyOf(db, eb.ref("s.oid"), oids))
    .where("s.number", "=", latest)
    .execute();
}
