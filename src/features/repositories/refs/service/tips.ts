import { invalid, notFound } from "../../../../core/errors.ts";
import { peel, readCommit, readInfo, readTag } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { ObjectType, Oid, Signature } from "../../../../git/types.ts";
import { branchPrefix } from "../model.ts";
import type { RefUpdate } from "../moves.ts";

/** What a ref's row keeps about the object that it points to. */
export interface TipDetails {
  readonly type: ObjectType;
  /** What an annotated tag leads to in the end; empty when the object is none. */
  readonly peeledOid: string;
  readonly tipMs: number;
}

/** The days that Date holds; what a commit says beyond them becomes the nearest. */
const maxDateMs = 8_640_000_000_000_000;
const timeOf = ({ seconds }: Signature): number => Math.min(Math.max(seconds * 1000, -maxDateMs), maxDateMs);

/** Undefined when the object is not in the store, or is a tag that leads to nothing there. */
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
 * Completes updates with the facts of the objects that they point to. Before the transaction: it reads objects.
 * @throws ForgeError `not_found` for an object that is not in the store, `invalid` for a branch that would not be a commit
 */
export async function describeTips(store: GitStore, updates: readonly Pick<RefUpdate, "name" | "oldOid" | "newOid">[]): Promise<RefUpdate[]> {
  return Promise.all(
    updates.map(async ({ name, oldOid, newOid }) => {
      if (newOid === null) return { name, oldOid, newOid, type: null, peeledOid: "", tipMs: 0 };
      const tip = await describeTip(store, newOid);
      if (tip === undefined) throw notFound(`object does not exist [id: ${newOid}, rel_path: ]`, { meta: { ref: name } });
      if (name.startsWith(branchPrefix) && tip.type !== "commit") throw invalid("a branch leads to a commit", { meta: { ref: name, type: tip.type } });
      return { name, oldOid, newOid, ...tip };
    }),
  );
}
