import type { Oid } from "../types.ts";

/** Writes the files from which git reads refs. */

/** The refs of a store according to the database. */
export interface RefProjection {
  /** Full name of HEAD's target branch; it need not exist. */
  readonly headRef: string;
  readonly refs: readonly ProjectedRef[];
}

export interface ProjectedRef {
  readonly name: string;
  readonly oid: Oid;
  /** The final target of an annotated tag; empty for other refs. */
  readonly peeledOid: string;
}

export const headContent = (headRef: string): string => `ref: ${headRef}\n`;

/** Formats the file (git's refs/packed-backend.c): sorted by bytes, annotated tags with their targets. */
export function formatPackedRefs(refs: readonly ProjectedRef[]): string {
  const lines = ["# pack-refs with: peeled fully-peeled sorted "];
  for (const { name, oid, peeledOid } of [...refs].sort(compareRefNames)) {
    lines.push(`${oid} ${name}`);
    if (peeledOid !== "") lines.push(`^${peeledOid}`);
  }
  return `${lines.join("\n")}\n`;
}

const surrogate = /[\ud800-\udfff]/;

/** Byte order. UTF-16 order is ten times as fast, and the same if there are no surrogates. */
function compareRefNames({ name }: ProjectedRef, { name: other }: ProjectedRef): number {
  if (surrogate.test(name) || surrogate.test(other)) return Buffer.compare(Buffer.from(name), Buffer.from(other));
  return name < other ? -1 : name > other ? 1 : 0;
}
