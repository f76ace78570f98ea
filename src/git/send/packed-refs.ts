import type { Oid } from "../types.ts";
import { perSlice, type RefSlices } from "./ref-slices.ts";

/** Writes the files from which git reads refs. */

/** The refs of a store according to the database. */
export interface RefProjection {
  /** Full name of HEAD's target branch; it need not exist. */
  readonly headRef: string;
  /** Sorted by name in the order of bytes. */
  readonly slices: RefSlices<ProjectedRef>;
}

export interface ProjectedRef {
  readonly name: string;
  readonly oid: Oid;
  /** The final target of an annotated tag; empty for other refs. */
  readonly peeledOid: string;
}

export const headContent = (headRef: string): string => `ref: ${headRef}\n`;

/** Formats the file (git's refs/packed-backend.c): annotated tags have their targets. @returns its parts */
export const formatPackedRefs = (slices: RefSlices<ProjectedRef>): readonly Buffer[] => [packedHeader, ...slices.map(packedLines)];

const packedHeader = Buffer.from("# pack-refs with: peeled fully-peeled sorted \n");

const packedLines = perSlice((refs: readonly ProjectedRef[]) =>
  Buffer.from(refs.map(({ name, oid, peeledOid }) => `${oid} ${name}\n${peeledOid === "" ? "" : `^${peeledOid}\n`}`).join("")),
);
