import type { Oid } from "../types.ts";

/** The files in which git reads refs. */

/** The refs of a store as the database has them. */
export interface RefProjection {
  /** Full name of the branch that HEAD names; it need not exist. */
  readonly headRef: string;
  readonly refs: readonly ProjectedRef[];
}

export interface ProjectedRef {
  readonly name: string;
  readonly oid: Oid;
  /** The object that an annotated tag leads to in the end; empty for everything else. */
  readonly peeledOid: string;
}

export const headContent = (headRef: string): string => `ref: ${headRef}\n`;

/** The file's text (git's refs/packed-backend.c): sorted by bytes, annotated tags with what they lead to. */
export function formatPackedRefs(refs: readonly ProjectedRef[]): string {
  const lines = ["# pack-refs with: peeled fully-peeled sorted "];
  for (const { name, oid, peeledOid } of [...refs].sort(compareRefNames)) {
    lines.push(`${oid} ${name}`);
    if (peeledOid !== "") lines.push(`^${peeledOid}`);
  }
  return `${lines.join("\n")}\n`;
}

const surrogate = /[\ud800-\udfff]/;

/** By bytes. The order of UTF-16, which costs a tenth, is the same without surrogates. */
function compareRefNames({ name }: ProjectedRef, { name: other }: ProjectedRef): number {
  if (surrogate.test(name) || surrogate.test(other)) return Buffer.compare(Buffer.from(name), Buffer.from(other));
  return name < other ? -1 : name > other ? 1 : 0;
}
