import type { Tx } from "../../../../db/db.ts";
import type { PullCheck } from "../model.ts";

const stored = ["base_oid", "head_oid", "merge_base_oid", "outcome", "is_empty", "changed_files", "additions", "deletions"] as const;

/** Stores checks by pull request id and replaces former ones. One statement. */
export async function saveChecks(tx: Tx, checks: ReadonlyMap<number, PullCheck>): Promise<void> {
  if (checks.size === 0) return;
  await tx.sql
    .insertInto("pull_merge_checks")
    .values(
      [...checks].map(([pullId, { size, ...check }]) => ({
        pull_id: pullId,
        base_oid: check.baseOid,
        head_oid: check.headOid,
        merge_base_oid: check.mergeBaseOid,
        outcome: check.outcome,
        is_empty: check.isEmpty ? 1 : 0,
        changed_files: size?.changedFiles ?? null,
        additions: size?.additions ?? null,
        deletions: size?.deletions ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("pull_id").doUpdateSet((eb) => Object.fromEntries(stored.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute();
}
