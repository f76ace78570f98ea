import type { ObjectFormat, ObjectType, Oid } from "../../../git/types.ts";

/** A ref as the database has it. */
export interface RefView {
  /** Full name, `refs/heads/main`. */
  readonly name: string;
  readonly oid: Oid;
  readonly type: ObjectType;
  /** What an annotated tag leads to in the end; empty when `oid` is no tag object. */
  readonly peeledOid: string;
  /** When the tip was made: its committer's or tagger's time, 0 where it has none. */
  readonly tipMs: number;
}

/** What holds objects and refs. */
export interface StoreView {
  readonly id: number;
  readonly format: ObjectFormat;
  /** Full name of the branch that HEAD stands for; it need not exist. */
  readonly headRef: string;
  /** Counts up with every transaction that moves a ref or HEAD. */
  readonly refsVersion: number;
  /** The version of the copy in the store's directory. */
  readonly projectedVersion: number;
}

export const branchPrefix = "refs/heads/";
export const tagPrefix = "refs/tags/";
/** Refs below it keep objects from housekeeping; clients never see them. */
export const hiddenPrefix = "refs/hearth/";

/** The name behind a prefix: `main` of `refs/heads/main`. */
export const shortName = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, "");

/** Something that is wrong with the objects of a store. */
export interface StoreProblem {
  readonly storeId: number;
  readonly problem: string;
  readonly foundMs: number;
}
