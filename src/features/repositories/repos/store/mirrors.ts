import type { Tx } from "../../../../db/db.ts";

/** @param intervalMs 0 for synchronization only on request */
export async function setMirrorInterval(tx: Tx, repoId: number, intervalMs: number): Promise<void> {
  await tx.sql
    .updateTable("pull_mirrors")
    .set({ interval_ms: intervalMs, next_sync_ms: intervalMs === 0 ? null : tx.nowMs + intervalMs })
    .where("repo_id", "=", repoId)
    .execute();
}
