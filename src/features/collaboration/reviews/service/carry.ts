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
 * Lets reviews of the former head stand for the new one where a pull request changes the very same files to the very same contents as before: its
 * base was merged into it, or it was put on top of the base. Until that is known they are stale, and for any other move they stay so.
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

/** What a head changes since it left the base, as one text; undefined where it is too much to be compared. */
async function changesSince(store: GitStore, baseOid: Oid, headOid: Oid): Promise<string | undefined> {
  const { files, truncated } = await treeChanges(store, await forkPoint(store, baseOid, headOid), headOid);
  if (truncated) return undefined;
  return JSON.stringify(files.map(({ path, oldMode, oldOid, newMode, newOid }) => [path, oldMode, oldOid, newMode, newOid]));
}
