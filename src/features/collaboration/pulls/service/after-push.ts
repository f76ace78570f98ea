import { isForgeError } from "../../../../core/errors.ts";
import type { PullEvents } from "../../../../events/pull-events.ts";
import { isAncestor } from "../../../../git/history/log.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import { isNearAncestor } from "../../../../git/objects/walk.ts";
import { holdCommits } from "../../../repositories/refs/service/hidden.ts";
import { deletePushEntries, updatePushEntry } from "../../issues/conversation/service/push-entries.ts";
import { findPullRow } from "../store/rows.ts";
import { findMergeBase } from "./checks.ts";
import type { PullDeps } from "./deps.ts";
import { moveHeadRef, storeWithHead } from "./heads.ts";
import { commitsOfPush, namedCommits, pushText } from "./pushed-commits.ts";

/**
 * Completes a push to a head after its transaction, because this reads objects: copies the head's commits from a fork to the base, updates
 * the pull request's ref, adds the commits to the timeline, and protects a replaced head from housekeeping. Idempotent for repeated deliveries.
 */
export async function completePush(deps: PullDeps, event: PullEvents["pull.synchronized"]): Promise<void> {
  const { issueId, headOid, formerHeadOid } = event;
  const pull = await findPullRow(deps.db, issueId);
  if (pull === undefined) return;
  try {
    const store = await storeWithHead(deps, pull, { headStoreId: pull.headStoreId, headOid });
    if (pull.headOid === headOid && pull.headStoreId !== store.id) {
      const tip = await readCommit(store, headOid);
      await deps.db.tx((tx) => moveHeadRef(tx, store.id, pull, headOid, { tipMs: (tip?.committer.seconds ?? 0) * 1000 }));
    }
    const isForced = !(await isNearAncestor(store, formerHeadOid, headOid)) && !(await isAncestor(store, formerHeadOid, headOid));
    const oids = (await commitsOfPush(store, pull, { headOid, formerHeadOid })).map(({ oid }) => oid).reverse();
    if (!isForced && oids.length < 2) return;
    const text = pushText(isForced ? [formerHeadOid, headOid] : oids, isForced);
    await deps.db.tx(async (tx) => {
      await updatePushEntry(tx, issueId, headOid, text);
      // The timeline links to a comparison with it, and reviews may be of it.
      if (isForced) await holdCommits(tx, store.id, [{ name: `pulls/${pull.number}/${formerHeadOid}`, oid: formerHeadOid }]);
    });
  } catch (error) {
    // The commits were removed before they could be read.
    if (!isForgeError(error, "invalid") && !isForgeError(error, "not_found")) throw error;
  }
}

/**
 * Names the commits that a pull request brings into its new base in the timeline entry that the change of the base has made. This reads objects, which
 * a transaction should not. A repeated delivery changes nothing.
 */
export async function completeRetarget(deps: PullDeps, { issueId, baseBranch, headOid }: PullEvents["pull.retargeted"]): Promise<void> {
  const pull = await findPullRow(deps.db, issueId);
  if (pull === undefined || pull.baseBranch !== baseBranch || pull.baseTipOid === null) return;
  try {
    const store = await storeWithHead(deps, pull, { headStoreId: pull.headStoreId, headOid });
    const mergeBaseOid = await findMergeBase(store, pull.baseTipOid, headOid);
    const oids = mergeBaseOid === undefined ? [headOid] : await namedCommits(store, headOid, mergeBaseOid);
    await deps.db.tx((tx) => (oids.length === 0 ? deletePushEntries(tx, issueId) : updatePushEntry(tx, issueId, headOid, pushText(oids, false))));
  } catch (error) {
    // The commits can be gone by now.
    if (!isForgeError(error, "invalid") && !isForgeError(error, "not_found")) throw error;
  }
}
