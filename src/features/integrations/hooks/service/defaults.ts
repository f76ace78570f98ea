import type { Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { copyDefaultHooks } from "../store/hooks.ts";

/** Copies the server's default webhooks into new repositories, in their creating transaction. One statement; none if the server has no webhooks. */
export async function copyDefaults(tx: Tx, events: readonly EventInTransaction<"repo.created">[]): Promise<void> {
  const repoIds = events.filter(({ hasHooks }) => hasHooks).map(({ payload }) => payload.repoId);
  if (repoIds.length > 0) await copyDefaultHooks(tx, repoIds);
}
