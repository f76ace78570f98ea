import { treeChanges } from "../../../../git/history/diff.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import { hasReviewsOf, updateSeen } from "../store/reviews.ts";
import { findOpenPull, type ReviewDeps } from "./find.ts";
import { forkPoint } from "./pull-ends.ts";

export interface MovedHead {
  readonly repoId: number;
  readonly number: number;
  readonly formerHeadOid: Oid;
  readonly headOid: Oid;
}

/**
 * Carries reviews over to a new head that changes the same files to the same contents: after merging the base, or rebasing onto it.
 * Until that is known, and after any other push, they are stale.
 */
export async function carryReviews(deps: ReviewDeps, { repoId, number, formerHeadOid, headOid }: MovedHead): Promise<void> {
  const found = await findOpenPull(deps, repoId, number);
  if (found === undefined) return;
  const { repository, pull } = found;
  const { baseTipOid, issueId } = pull;
  if (baseTipOid === null || !(await hasReviewsOf(deps.db, issueId, formerHeadOid))) return;
  const store = await storeWithHead(deps, repository, pull);
  const before = await changesSince(store, baseTipOid, formerHeadOid);
  const after = await changesSince(store, baseTipOid, headOid);
  if (before === undefined || before !== after) return;
  await deps.db.tx((tx) => updateSeen(tx, issueId, { fromOid: formerHeadOid, toOid: headOid }));
}

/** Changes of a head since the merge base as one string; undefined if too large to compare. */
async function changesSince(store: GitStore, baseOid: Oid, headOid: Oid): Promise<string | undefined> {
  const { files, truncated } = await treeChanges(store, await forkPoint(store, baseOid, headOid), headOid);
  if (truncated) return undefined;
  return JSON.stringify(files.map(({ path, oldMode, oldOid, newMode, newOid }) => [path, oldMode, oldOid, newMode, newOid]));
}
