import type { Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { copyDefaultHooks } from "../store/hooks.ts";

/** Gives repositories the server's default webhooks in the transaction that makes them. One statement, none where the server has no webhooks. */
export async function copyDefaults(tx: Tx, events: readonly EventInTransaction<"repo.created">[]): Promise<void> {
  const repoIds = events.filter(({ hasHooks }) => hasHooks).map(({ payload }) => payload.repoId);
  if (repoIds.length > 0) await copyDefaultHooks(tx, repoIds);
}
