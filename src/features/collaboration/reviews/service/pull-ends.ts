import { mergeBase } from "../../../../git/history/log.ts";
import { nearMergeBases } from "../../../../git/history/merge-bases.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { FoundPull } from "../../pulls/model.ts";
import type { LineLocation } from "../model.ts";

/** Both ends of a pull request's changes. */
export interface PullEnds {
  readonly headOid: Oid;
  /** Undefined: unrelated histories. */
  readonly mergeBaseOid: Oid | undefined;
}

/** Merge base of a pull request: the stored one for the current tips, otherwise computed. */
export async function endsOf(store: GitStore, pull: FoundPull): Promise<PullEnds> {
  const { headOid, merged, check, baseTipOid } = pull;
  if (merged !== null) return { headOid, mergeBaseOid: merged.mergeBaseOid ?? undefined };
  if (check !== null && check.headOid === headOid && check.baseOid === baseTipOid) return { headOid, mergeBaseOid: check.mergeBaseOid ?? undefined };
  return { headOid, mergeBaseOid: baseTipOid === null ? (check?.mergeBaseOid ?? undefined) : await forkPoint(store, baseTipOid, headOid) };
}

/** Merge base of a head and a base. */
export async function forkPoint(store: GitStore, baseOid: Oid, headOid: Oid): Promise<Oid | undefined> {
  const near = await nearMergeBases(store, baseOid, headOid);
  return near === undefined ? mergeBase(store, baseOid, headOid) : near[0];
}

/** The commit whose lines a side shows. */
export const shownOid = ({ headOid, mergeBaseOid }: PullEnds, side: LineLocation["side"]): Oid => (side === "new" ? headOid : (mergeBaseOid ?? headOid));
