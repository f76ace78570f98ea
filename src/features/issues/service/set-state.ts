import { stale } from "../../../core/errors.ts";
import { countInMilestone } from "../../milestones/service.ts";
import { countInRepository } from "../store/counters.ts";
import { hasOpenDependency } from "../store/dependencies.ts";
import type { IssueChange } from "./change.ts";
import { stopOwnStopwatch } from "./stopwatch-steps.ts";

const closing = { open: -1, closed: 1 };
const reopening = { open: 1, closed: -1 };

/**
 * A step of a change: closes or reopens the issue; the counts of its repository and milestone follow. What is so already stays as it is.
 * @param commitOid of the commit whose message asks for it
 * @throws ForgeError `stale` for closing one that waits for others
 */
export async function setState(change: IssueChange, isClosed: boolean, commitOid?: string): Promise<void> {
  const { tx, before } = change;
  if (before.isClosed === isClosed) return;
  if (isClosed && (await hasOpenDependency(tx, before.id))) throw stale("cannot close this issue or pull request because it still has open dependencies");
  change.set({ is_closed: isClosed ? 1 : 0, closed_ms: isClosed ? tx.nowMs : null });
  await countInRepository(tx, before, isClosed ? closing : reopening);
  if (before.milestoneId !== null) await countInMilestone(tx, before.milestoneId, isClosed ? closing : reopening);
  if (isClosed) await stopOwnStopwatch(change);
  const facts = commitOid === undefined ? undefined : { facts: { commitOid } };
  change.note(isClosed ? "close" : "reopen", facts);
  change.tell(isClosed ? "issue.closed" : "issue.reopened", commitOid === undefined ? {} : { commitOid });
}
