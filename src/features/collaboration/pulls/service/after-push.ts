import { isForgeError } from "../../../../core/errors.ts";
import type { PullEvents } from "../../../../events/pull-events.ts";
import { isAncestor } from "../../../../git/history/log.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import { isNearAncestor, walkBetween } from "../../../../git/objects/walk.ts";
import { updatePushEntry } from "../store/entries.ts";
import { findPullRow } from "../store/rows.ts";
import type { PullDeps } from "./deps.ts";
import { pushText } from "./follow.ts";
import { moveHeadRef } from "./head-refs.ts";
import { storeWithHead } from "./heads.ts";

/** Maximum number of commits of one push in the timeline. */
const maxCommits = 100;

/**
 * Completes a push to a head after its transaction, because this reads objects: copies the head's commits from a fork to the base, updates
 * the pull request's ref, and adds the commits to the timeline. Idempotent for repeated deliveries.
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
    const commits = await walkBetween(store, headOid, formerHeadOid, maxCommits);
    const oids = commits.map(({ oid }) => oid).reverse();
    if (!isForced && oids.length < 2) return;
    const text = pushText(isForced ? [formerHeadOid, headOid] : oids, isForced);
    await deps.db.tx((tx) => updatePushEntry(tx, issueId, headOid, text));
  } catch (error) {
    // The commits were removed before they could be read.
    if (!isForgeError(error, "invalid") && !isForgeError(error, "not_found")) throw error;
  }
}
