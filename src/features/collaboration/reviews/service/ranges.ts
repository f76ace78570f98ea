import { isUser } from "../../../../access/actor.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { rangeDiff } from "../../../../git/history/range-diff.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import { walkBetween } from "../../../../git/objects/walk.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import type { FoundPull } from "../../pulls/model.ts";
import type { PullRange } from "../../pulls/service/changes.ts";
import type { PullViewing } from "../../pulls/service/deps.ts";
import { listReviewsOf } from "../store/reviews.ts";
import type { ReviewDeps } from "./find.ts";
import type { PullEnds } from "./pull-ends.ts";
import { lastReviewed } from "./threads.ts";

/** Consecutive commits of a pull request. */
export interface CommitRange {
  /** The parent of the first commit; undefined for a root commit. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
  /** Newest first. */
  readonly commits: readonly Commit[];
}

/** The range between two commits of a pull request, both included. Undefined if one of them does not belong to it, or the last precedes the first. */
export function rangeBetween(commits: readonly Commit[], firstOid: string, lastOid: string): CommitRange | undefined {
  const last = commits.findIndex(({ oid }) => oid === lastOid);
  const first = commits.findIndex(({ oid }) => oid === firstOid);
  const [oldest, newest] = [commits[first], commits[last]];
  if (oldest === undefined || newest === undefined || first < last) return undefined;
  return { fromOid: oldest.parentOids[0], toOid: newest.oid, commits: commits.slice(last, first + 1) };
}

/** The range in the address of a page: `oid`, or `first..last`. */
export function rangeNamed(commits: readonly Commit[], text: string): CommitRange | undefined {
  const [first = "", last = first] = text.split("..");
  return rangeBetween(commits, first, last);
}

/** The range as the address of its page names it. */
export function nameOfRange({ commits }: CommitRange): string {
  const [last, first] = [commits[0]?.oid ?? "", commits.at(-1)?.oid ?? ""];
  return first === last ? last : `${first}..${last}`;
}

export const endsOfRange = ({ fromOid, toOid }: CommitRange): PullEnds => ({ headOid: toOid, mergeBaseOid: fromOid });

/** The head that the caller has reviewed last; undefined if they have not submitted a review. One statement. */
export async function findReviewedHead(deps: Pick<ReviewDeps, "db">, { actor }: PullViewing, pull: Pick<FoundPull, "issueId">): Promise<Oid | undefined> {
  if (!isUser(actor)) return undefined;
  return lastReviewed(await listReviewsOf(deps.db, pull.issueId, [actor.id]));
}

/** Larger series of commits are not compared: the cost grows with the product of their lengths. */
const maxSeries = 100;
const maxSeriesBytes = 512 * 1024;

export type SinceReview =
  | { readonly kind: "same" }
  /** The reviewed head is not in the store any more. */
  | { readonly kind: "gone" }
  /** The commits that follow the reviewed head. */
  | { readonly kind: "added"; readonly range: CommitRange }
  /** Commits were replaced. `text` compares both versions commit by commit; undefined if it is too large. */
  | { readonly kind: "rewritten"; readonly formerOid: Oid; readonly text: string | undefined };

/**
 * The changes since a reviewed head. At most one process.
 * @param commits of the pull request, newest first
 */
export async function readSinceReview(range: PullRange, commits: readonly Commit[], formerOid: Oid, signal: AbortSignal | undefined): Promise<SinceReview> {
  const { store, fromOid, toOid } = range;
  if (formerOid === toOid) return { kind: "same" };
  const at = commits.findIndex(({ oid }) => oid === formerOid);
  if (at > 0) return { kind: "added", range: { fromOid: formerOid, toOid, commits: commits.slice(0, at) } };
  if (fromOid === undefined || (await readCommit(store, formerOid)) === undefined) return { kind: "gone" };
  const former = await walkBetween(store, formerOid, fromOid, maxSeries + 2);
  if (former.length > maxSeries || commits.length > maxSeries) return { kind: "rewritten", formerOid, text: undefined };
  try {
    const text = await rangeDiff(store, { baseOid: fromOid, formerOid, presentOid: toOid, maxBytes: maxSeriesBytes, signal });
    return { kind: "rewritten", formerOid, text };
  } catch (error) {
    if (isForgeError(error, "unavailable") && error.options.meta?.reason === "output_limit") return { kind: "rewritten", formerOid, text: undefined };
    throw error;
  }
}
