import type { IssueChange } from "../../service/change.ts";
import { deleteStopwatch, findStopwatch, insertTime } from "../store.ts";
import { timeText } from "../time-text.ts";

/** Step of a change: stops the caller's running stopwatch on the issue and saves the time. @returns whether it was running */
export async function stopOwnStopwatch(change: IssueChange): Promise<boolean> {
  const { tx, actorId, before } = change;
  if (actorId === null) return false;
  const stopwatch = await findStopwatch(tx, actorId);
  if (stopwatch?.issueId !== before.id) return false;
  await deleteStopwatch(tx, actorId);
  const seconds = Math.max(0, Math.round((tx.nowMs - stopwatch.createdMs) / 1_000));
  const timeId = await insertTime(tx, { issueId: before.id, repoId: before.repoId, accountId: actorId, seconds, createdMs: tx.nowMs });
  change.note("stop_tracking", { content: timeText(seconds), payload: { timeId } });
  change.announce("issue.time_tracked", { timeId, accountId: actorId, seconds });
  return true;
}
