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
  /** Of branches, tags and notes. */
  readonly own: readonly RefUpdate[];
  /** Heads of pull requests, by the names that the source has for them. */
  readonly pullHeads: ReadonlyMap<string, Oid>;
}

/** @param headPrefix undefined where no pull requests are wanted */
export function splitRefs(updates: readonly RefUpdate[], headPrefix: string | undefined): FetchedRefs {
  const isHead = ({ name }: RefUpdate): boolean => headPrefix !== undefined && name.startsWith(headPrefix);
  const heads = updates.filter(isHead).flatMap(({ name, newOid, type }) => (newOid !== null && type === "commit" ? [[name, newOid] as const] : []));
  return { own: updates.filter((update) => !isHead(update)), pullHeads: new Map(heads) };
}

/** A pull request as it comes here, with where its head left its base as far as that is told. */
export interface PlannedPull extends ImportedPull {
  readonly mergeBaseOid: Oid | undefined;
}

/**
 * What pull requests become here, before the transaction, since it reads objects. One whose head has not come is none any more, and left out; of
 * what the other server says about commits, only those that have come are believed.
 */
export async function planPulls(store: GitStore, pulls: readonly ForeignPull[], { own, pullHeads }: FetchedRefs): Promise<readonly PlannedPull[]> {
  const tips = new Map(own.map(({ name, newOid }) => [name, newOid]));
  const planned: PlannedPull[] = [];
  for (const pull of pulls) {
    const { number, baseBranch, headBranch, isOfRepository, isClosed, allowsMaintainerEdit, merged } = pull;
    // The branch of an open one is its head, whatever has been pushed between two questions.
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

/** Undefined for what is no commit of the store. */
async function commitTip(store: GitStore, oid: Oid | undefined): Promise<TipDetails | undefined> {
  const tip = oid !== undefined && formatOfOid(oid) === store.format ? await describeTip(store, oid) : undefined;
  return tip?.type === "commit" ? tip : undefined;
}

/** Which way a merge went is told by nobody: one that joins the head is a merge, of all else is known only that the base has it. */
async function planMerge(
  store: GitStore,
  { commitOid: told, mergedMs }: ForeignMerge,
  head: Pick<PlannedPull, "headOid" | "mergeBaseOid">,
): Promise<NonNullable<ImportedPull["merged"]>> {
  const { headOid } = head;
  const commitOid = ((await commitTip(store, told)) && told) ?? headOid;
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
