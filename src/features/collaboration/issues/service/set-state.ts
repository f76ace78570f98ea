import { stale } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { countIssueStates } from "../../../repositories/repos/service/counters.ts";
import { countInMilestone } from "../../milestones/service.ts";
import type { CloseReason } from "../close-reason.ts";
import { hasOpenDependency } from "../links/store/dependencies.ts";
import { stopOwnStopwatch } from "../times/service/stopwatch-steps.ts";
import type { IssueChange } from "./change.ts";

const closing = { open: -1, closed: 1 };
const reopening = { open: 1, closed: -1 };

export interface StateCause {
  /** The commit whose message closes or reopens it. */
  readonly commitOid?: string | undefined;
  /** Why it is closed. */
  readonly reason?: CloseReason | undefined;
}

/**
 * Step of a change: closes or reopens the issue and updates the counts of its repository and milestone. Does nothing if it already has that
 * state.
 * @throws ForgeError `stale` for closing one with open dependencies, and for a merged pull request
 */
export async function setState(change: IssueChange, isClosed: boolean, { commitOid, reason = "" }: StateCause = {}): Promise<void> {
  const { tx, before } = change;
  if (before.mergedMs !== null) throw stale("cannot change state of this pull request, it was already merged", { reason: "already_merged" });
  if (before.isClosed === isClosed) return;
  if (isClosed && (await waitsForOthers(tx, before.id))) throw stale(waiting, { reason: "open_dependencies" });
  await writeState(change, isClosed, isClosed ? reason : "");
  const payload = { ...(commitOid !== undefined && { commitOid }), ...(isClosed && reason !== "" && { closeReason: reason }) };
  change.note(isClosed ? "close" : "reopen", { payload });
  change.announce(isClosed ? "issue.closed" : "issue.reopened", commitOid === undefined ? {} : { commitOid });
}

export const waiting = "cannot close this issue or pull request because it still has open dependencies";

/** Whether an issue has open dependencies. */
export const waitsForOthers = (db: Reader, issueId: number): Promise<boolean> => hasOpenDependency(db, issueId);

/** Step of a change: a merge closes the pull request and records its own event. */
export const closeMerged = (change: IssueChange): Promise<void> => writeState(change, true);

/** Step of a change: closes a pull request whose branch is deleted, regardless of dependencies. */
export async function closeAnyway(change: IssueChange): Promise<void> {
  await writeState(change, true);
  change.note("close");
  change.announce("issue.closed", {});
}

async function writeState(change: IssueChange, isClosed: boolean, reason: CloseReason = ""): Promise<void> {
  const { tx, before } = change;
  change.set({ is_closed: isClosed ? 1 : 0, closed_ms: isClosed ? tx.nowMs : null, close_reason: reason });
  await countIssueStates(tx, before, isClosed ? closing : reopening);
  if (before.milestoneId !== null) await countInMilestone(tx, before.milestoneId, isClosed ? closing : reopening);
  if (isClosed) await stopOwnStopwatch(change);
}
