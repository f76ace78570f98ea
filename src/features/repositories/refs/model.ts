import type { ObjectFormat, ObjectType, Oid } from "../../../git/types.ts";

/** A ref as stored in the database. */
export interface RefView {
  /** Full name, `refs/heads/main`. */
  readonly name: string;
  readonly oid: Oid;
  readonly type: ObjectType;
  /** The peeled target of an annotated tag; empty if `oid` is not a tag object. */
  readonly peeledOid: string;
  /** Committer or tagger time of the tip; 0 if it has none. */
  readonly tipMs: number;
}

/** A container of objects and refs. */
export interface StoreView {
  readonly id: number;
  readonly format: ObjectFormat;
  /** Full name of the branch that HEAD points to; the branch need not exist. */
  readonly headRef: string;
  /** Incremented by every transaction that moves a ref or HEAD. */
  readonly refsVersion: number;
  /** Incremented by every transaction that changes the list of packs. */
  readonly packsVersion: number;
  /** The version of the refs on disk. */
  readonly projectedVersion: number;
}

export const branchPrefix = "refs/heads/";
export const tagPrefix = "refs/tags/";
/** Refs with this prefix protect objects from housekeeping; they are never advertised to clients. */
export const hiddenPrefix = "refs/hearth/";

/** The key of a branch in the queue of its writers. */
export const branchKey = (storeId: number, name: string): string => `${storeId} ${name}`;

/** The name without prefix: `main` for `refs/heads/main`. */
export const shortName = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, "");

/** A problem with the objects of a store. */
export interface StoreProblem {
  readonly storeId: number;
  readonly problem: string;
  readonly foundMs: number;
}
