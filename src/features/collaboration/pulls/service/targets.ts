import type { Tx } from "../../../../db/db.ts";
import { deletePushEntries } from "../../issues/conversation/service/push-entries.ts";
import { changeIssue } from "../../issues/service/change.ts";
import { loadIssueRowsById } from "../../issues/service/find.ts";
import type { FoundPull, PullRow } from "../model.ts";
import { listOpenInto } from "../store/follow.ts";
import { updatePull } from "../store/pulls.ts";
import { recordPullEvent } from "./events.ts";
import { pushText } from "./pushed-commits.ts";

/**
 * Gives a pull request another base and records it. The entries of earlier pushes are replaced by one entry, whose commits are named after the
 * transaction.
 */
export async function changeTarget(tx: Tx, actorId: number | null, pull: FoundPull, baseBranch: string): Promise<void> {
  await updatePull(tx, pull.id, { base_branch: baseBranch });
  const change = changeIssue(tx, actorId, pull.issue);
  change.note("change_target_branch", { payload: { oldRef: pull.baseBranch, newRef: baseBranch } });
  await deletePushEntries(tx, pull.issue.id);
  change.note("pull_push", { content: pushText([pull.headOid], false), payload: { commitOid: pull.headOid } });
  await change.finish();
  await recordPullEvent(tx, actorId, { ...pull, baseBranch }, "pull.retargeted", { formerBaseBranch: pull.baseBranch });
}

/** Retargets pull requests into a deleted branch, so that those stacked on a merged pull request stay open. */
export async function retargetChildren(tx: Tx, actorId: number, repoId: number, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  for (const child of await joinIssues(tx, await listOpenInto(tx, repoId, [from]))) await changeTarget(tx, actorId, child, to);
}

/** Pull requests with their issue rows. One statement, or none for an empty list. */
export async function joinIssues(tx: Tx, pulls: readonly PullRow[]): Promise<FoundPull[]> {
  const issues = await loadIssueRowsById(
    { db: tx },
    pulls.map(({ issueId }) => issueId),
  );
  return pulls.flatMap((pull) => {
    const issue = issues.get(pull.issueId);
    return issue === undefined ? [] : { ...pull, issue };
  });
}
