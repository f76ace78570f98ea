import { formatOfOid } from "../../../../git/objects/hash.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { findMergeBase } from "../../../collaboration/pulls/service/checks.ts";
import type { ImportedPull } from "../../../collaboration/pulls/service/import.ts";
import { branchPrefix } from "../../refs/model.ts";
import type { RefUpdate } from "../../refs/moves.ts";
import { describeTip, type TipDetails } from "../../refs/service/tips.ts";
import type { ForeignMerge, ForeignPull } from "../tracker.ts";

export interface FetchedRefs {
  /** Branches, tags and notes. */
  readonly own: readonly RefUpdate[];
  /** Heads of pull requests, by the ref names of the source. */
  readonly pullHeads: ReadonlyMap<string, Oid>;
}

/** @param headPrefix undefined if pull requests are not imported */
export function splitRefs(updates: readonly RefUpdate[], headPrefix: string | undefined): FetchedRefs {
  const isHead = ({ name }: RefUpdate): boolean => headPrefix !== undefined && name.startsWith(headPrefix);
  const heads = updates.filter(isHead).flatMap(({ name, newOid, type }) => (newOid !== null && type === "commit" ? [[name, newOid] as const] : []));
  return { own: updates.filter((update) => !isHead(update)), pullHeads: new Map(heads) };
}

/** A pull request to be imported, with its merge base if known. */
export interface PlannedPull extends ImportedPull {
  readonly mergeBaseOid: Oid | undefined;
}

/**
 * Plans the import of pull requests. Called before the transaction, because it reads objects. Pull requests with missing head commits are
 * omitted; commit ids from the source are only used if the commits exist.
 */
export async function planPulls(store: GitStore, pulls: readonly ForeignPull[], { own, pullHeads }: FetchedRefs): Promise<readonly PlannedPull[]> {
  const tips = new Map(own.map(({ name, newOid }) => [name, newOid]));
  const planned: PlannedPull[] = [];
  for (const pull of pulls) {
    const { number, baseBranch, headBranch, isOfRepository, isClosed, allowsMaintainerEdit, merged } = pull;
    // The branch of an open pull request determines its head, even if a push occurred between two requests.
    const branchTip = isOfRepository && !isClosed ? tips.get(branchPrefix + headBranch) : undefined;
    const headOid = branchTip ?? pullHeads.get(pull.headRef) ?? pull.headOid;
    const tip = await commitTip(store, headOid);
    if (headOid === undefined || tip === undefined) continue;
    const mergeBaseOid = (await commitTip(store, pull.mergeBaseOid)) && pull.mergeBaseOid;
    const merge = merged === undefined ? null : await planMerge(store, merged, { headOid, mergeBaseOid });
    planned.push({ number, baseBranch, headBranch, isOfRepository, allowsMaintainerEdit, headOid, tip, mergeBaseOid, merged: merge });
  }
  return planned;
}

/** Undefined if the store does not have the commit. */
export async function commitTip(store: GitStore, oid: Oid | undefined): Promise<TipDetails | undefined> {
  const tip = oid !== undefined && formatOfOid(oid) === store.format ? await describeTip(store, oid) : undefined;
  return tip?.type === "commit" ? tip : undefined;
}

/** The merge style is unknown: a commit with the head as a parent is a merge; otherwise only the result on the base is known. */
export async function planMerge(
  store: GitStore,
  { commitOid: mergeOid, mergedMs }: Pick<ForeignMerge, "commitOid" | "mergedMs">,
  head: Pick<PlannedPull, "headOid" | "mergeBaseOid">,
): Promise<NonNullable<ImportedPull["merged"]>> {
  const { headOid } = head;
  const commitOid = ((await commitTip(store, mergeOid)) && mergeOid) ?? headOid;
  const parentOids = (await readCommit(store, commitOid))?.parentOids ?? [];
  const [formerOid] = parentOids;
  const mergeBaseOid = head.mergeBaseOid ?? (formerOid === undefined ? undefined : await findMergeBase(store, formerOid, headOid)) ?? null;
  return {
    commitOid,
    mergeBaseOid,
    baseOid: formerOid ?? mergeBaseOid ?? commitOid,
    style: parentOids.length > 1 && parentOids.includes(headOid) ? "merge" : "manually-merged",
    mergedMs,
  };
}
