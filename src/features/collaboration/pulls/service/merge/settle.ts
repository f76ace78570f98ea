import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Tx } from "../../../../../db/db.ts";
import type { MergeStyle } from "../../../../../db/tables/pulls.ts";
import type { Oid } from "../../../../../git/types.ts";
import { applyMergeKeywords } from "../../../issues/references/service/merge-references.ts";
import { changeIssue } from "../../../issues/service/change.ts";
import { closeMerged } from "../../../issues/service/set-state.ts";
import type { FoundPull } from "../../model.ts";
import { deleteAutoMerge } from "../../store/auto-merges.ts";
import { updatePull } from "../../store/pulls.ts";
import { recordPullEvent } from "../events.ts";

export interface MergeOutcome {
  readonly style: MergeStyle;
  /** Former tip of the base. */
  readonly baseOid: Oid;
  readonly mergeBaseOid: Oid | null;
  /** Commit of the base that contains the pull request. */
  readonly commitOid: Oid;
  readonly isByPush: boolean;
  readonly isScheduled?: boolean;
  /** Branch deleted with the merge. */
  readonly deletedBranch: string | undefined;
}

/**
 * Records a merge in the transaction that moves the base: closes the pull request, adds timeline entry and events, and applies the
 * references in its text.
 */
export async function settleMerged(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull, outcome: MergeOutcome): Promise<void> {
  const { style, baseOid, mergeBaseOid, commitOid, isByPush, isScheduled = false, deletedBranch } = outcome;
  const change = changeIssue(tx, actor.id, pull.issue);
  await closeMerged(change);
  change.note("merge_pull", { payload: { commitOid } });
  if (deletedBranch !== undefined) change.note("delete_branch", { payload: { oldRef: deletedBranch } });
  await change.finish();
  await updatePull(tx, pull.id, {
    merged_ms: tx.nowMs,
    merger_id: actor.id,
    merge_style: style,
    merge_commit_oid: commitOid,
    merged_base_oid: baseOid,
    merged_merge_base_oid: mergeBaseOid,
  });
  await deleteAutoMerge(tx, pull.id);
  await recordPullEvent(tx, actor.id, pull, "pull.merged", { style, mergeCommitOid: commitOid, isByPush, isScheduled });
  await applyMergeKeywords(tx, actor, repository, pull.issue, commitOid);
}
