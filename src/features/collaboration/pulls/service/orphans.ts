import type { Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { changeIssue } from "../../issues/service/change.ts";
import { closeAnyway } from "../../issues/service/set-state.ts";
import { listOpenOfHeads } from "../store/follow.ts";
import { joinIssues } from "./targets.ts";

/** Closes pull requests when the repository of their heads is deleted. */
export async function closeOrphans(tx: Tx, events: readonly EventInTransaction<"repo.deleted">[]): Promise<void> {
  for (const { payload, actorId } of events) {
    for (const pull of await joinIssues(tx, await listOpenOfHeads(tx, payload.repoId))) {
      const change = changeIssue(tx, actorId, pull.issue);
      await closeAnyway(change);
      await change.finish();
    }
  }
}
