import { invalid, notFound } from "../../../../core/errors.ts";
import { peel, readCommit, readInfo, readTag } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { ObjectType, Oid, Signature } from "../../../../git/types.ts";
import { branchPrefix } from "../model.ts";
import type { RefUpdate } from "../moves.ts";

/** Facts about the target object that a ref's row stores. */
export interface TipDetails {
  readonly type: ObjectType;
  /** The peeled target of an annotated tag; empty for other objects. */
  readonly peeledOid: string;
  readonly tipMs: number;
}

/** The range of Date; later times are clamped. */
const maxDateMs = 8_640_000_000_000_000;
const timeOf = ({ seconds }: Signature): number => Math.min(Math.max(seconds * 1000, -maxDateMs), maxDateMs);

/** Undefined if the store does not have the object, or has a tag without its target. */
export async function describeTip(store: GitStore, oid: Oid): Promise<TipDetails | undefined> {
  const info = await readInfo(store, oid);
  if (info === undefined) return undefined;
  if (info.type === "commit") {
    const commit = await readCommit(store, oid);
    return { type: "commit", peeledOid: "", tipMs: commit === undefined ? 0 : timeOf(commit.committer) };
  }
  if (info.type !== "tag") return { type: info.type, peeledOid: "", tipMs: 0 };
  const [tag, target] = await Promise.all([readTag(store, oid), peel(store, oid)]);
  if (tag === undefined || target === undefined) return undefined;
  return { type: "tag", peeledOid: target.oid, tipMs: tag.tagger === undefined ? 0 : timeOf(tag.tagger) };
}

/**
 * Adds details of the target objects to updates. Called before the transaction, because it reads objects.
 * @throws ForgeError `not_found` for an object that is not in the store, `invalid` for a branch that would not point to a commit
 */
export async function describeTips(store: GitStore, updates: readonly Pick<RefUpdate, "name" | "oldOid" | "newOid">[]): Promise<RefUpdate[]> {
  return Promise.all(
    updates.map(async ({ name, oldOid, newOid }) => {
      if (newOid === null) return { name, oldOid, newOid, type: null, peeledOid: "", tipMs: 0 };
      const tip = await describeTip(store, newOid);
      if (tip === undefined) throw notFound(`object does not exist [id: ${newOid}, rel_path: ]`, { meta: { ref: name } });
      if (name.startsWith(branchPrefix) && tip.type !== "commit")
        throw invalid("a branch must point to a commit", { reason: "target_not_found", meta: { ref: name, type: tip.type } });
      return { name, oldOid, newOid, ...tip };
    }),
  );
}
