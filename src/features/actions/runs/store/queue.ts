import { sql } from "kysely";
import type { Reader, Tx } from "../../../../db/db.ts";

/**
 * Puts jobs into the queue. A repository's next job comes after one of each other repository that waits, however many it has.
 * Two statements, and one per job.
 */
export async function queueJobs(tx: Tx, repoId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { head, own } = await tx.sql
    .selectNoFrom((eb) => [
      eb
        .selectFrom("action_jobs")
        .select((inner) => inner.fn.min("queue_rank").as("rank"))
        .where("status", "=", sql.lit("waiting"))
        .as("head"),
      eb
        .selectFrom("action_jobs")
        .select((inner) => inner.fn.max("queue_rank").as("rank"))
        .where("repo_id", "=", repoId)
        .where("status", "=", sql.lit("waiting"))
        .as("own"),
    ])
    .executeTakeFirstOrThrow();
  let rank = Math.max(Number(head ?? 0), Number(own ?? 0));
  for (const id of ids) {
    rank += 1;
    await tx.sql.updateTable("action_jobs").set({ status: "waiting", queue_rank: rank }).where("id", "=", id).where("status", "=", "blocked").execute();
  }
}

export interface WaitingJob {
  readonly id: number;
  readonly repoId: number;
  readonly ownerId: number;
  readonly labels: readonly string[];
  readonly queueRank: number;
}

/** The first jobs of the queue that some of the labels may match. One statement. */
export async function listWaiting(
  db: Reader,
  {
    labels,
    repoIds,
    ownerIds,
    isGlobal,
    after,
    limit,
  }: {
    readonly labels: readonly string[];
    readonly repoIds: readonly number[];
    readonly ownerIds: readonly number[];
    readonly isGlobal: boolean;
    /** Continues after this place. */
    readonly after: { readonly rank: number; readonly id: number };
    readonly limit: number;
  },
): Promise<readonly WaitingJob[]> {
  if (labels.length === 0) return [];
  let query = db.sql
    .selectFrom("action_jobs as j")
    .innerJoin("repositories as r", "r.id", "j.repo_id")
    .select(["j.id", "j.repo_id", "r.owner_id", "j.labels", "j.queue_rank"])
    .where("j.status", "=", sql.lit("waiting"))
    .where("j.first_label", "in", labels)
    .where((eb) => eb.or([eb("j.queue_rank", ">", after.rank), eb.and([eb("j.queue_rank", "=", after.rank), eb("j.id", ">", after.id)])]));
  if (!isGlobal) {
    query = query.where((eb) =>
      eb.or([...(repoIds.length === 0 ? [] : [eb("j.repo_id", "in", repoIds)]), ...(ownerIds.length === 0 ? [] : [eb("r.owner_id", "in", ownerIds)])]),
    );
  }
  const rows = await query.orderBy("j.queue_rank").orderBy("j.id").limit(limit).execute();
  return rows.map(({ id, repo_id, owner_id, labels: given, queue_rank }) => ({
    id,
    repoId: repo_id,
    ownerId: owner_id,
    labels: JSON.parse(given) as readonly string[],
    queueRank: queue_rank,
  }));
}

export interface ClaimedJob {
  readonly runId: number;
  readonly repoId: number;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly permissions: Readonly<Record<string, string>> | null;
}

/** Takes a job out of the queue. @returns undefined if another runner has it */
export async function claimJob(tx: Tx, id: number): Promise<ClaimedJob | undefined> {
  const row = await tx.sql
    .updateTable("action_jobs")
    .set((eb) => ({ status: "running" as const, attempt: eb("attempt", "+", 1), started_ms: tx.nowMs, stopped_ms: null, result: null }))
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .returning(["run_id", "repo_id", "attempt", "timeout_ms", "permissions"])
    .executeTakeFirst();
  return (
    row && {
      runId: row.run_id,
      repoId: row.repo_id,
      attempt: row.attempt,
      timeoutMs: row.timeout_ms,
      permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as Readonly<Record<string, string>>),
    }
  );
}

/** The job as a runner executes it, and the permissions that the job declares. */
export async function findPayload(
  db: Reader,
  id: number,
): Promise<{ readonly payload: string; readonly permissions: Readonly<Record<string, string>> | null } | undefined> {
  const row = await db.sql.selectFrom("action_jobs").select(["payload", "permissions"]).where("id", "=", id).executeTakeFirst();
  if (row?.payload == null) return undefined;
  return { payload: row.payload, permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as Readonly<Record<string, string>>) };
}
