import type { Oid } from "../../../git/types.ts";

export interface Divergence {
  /** Number of commits that only the head has. */
  readonly ahead: number;
  /** Number of commits that only the base has. */
  readonly behind: number;
}

type Parents = ReadonlyMap<Oid, readonly Oid[]>;

/**
 * Computes how far heads diverge from a base, given the newest part of the history. The result is undefined for a head if its own commits,
 * or the base's, continue beyond that part, because they cannot be counted then.
 */
export function divergencesOf(
  commits: readonly { readonly oid: Oid; readonly parentOids: readonly Oid[] }[],
  baseOid: Oid,
  headOids: readonly Oid[],
): ReadonlyMap<Oid, Divergence | undefined> {
  const parents: Parents = new Map(commits.map(({ oid, parentOids }) => [oid, parentOids]));
  const base = reach(parents, baseOid);
  return new Map(
    [...new Set(headOids)].map((headOid) => {
      const head = reach(parents, headOid);
      const [ahead, behind] = [countBeyond(parents, head, base), countBeyond(parents, base, head)];
      return [headOid, ahead === undefined || behind === undefined ? undefined : { ahead, behind }];
    }),
  );
}

/** All commits reachable from a commit. Commits outside the known part have no parents. */
function reach(parents: Parents, oid: Oid): ReadonlySet<Oid> {
  const seen = new Set([oid]);
  for (const one of seen) for (const parent of parents.get(one) ?? []) seen.add(parent);
  return seen;
}

/** Number of commits that `one` has and `other` lacks; undefined if one of them is outside the known part. */
function countBeyond(parents: Parents, one: ReadonlySet<Oid>, other: ReadonlySet<Oid>): number | undefined {
  let count = 0;
  for (const oid of one) {
    if (other.has(oid)) continue;
    if (!parents.has(oid)) return undefined;
    count++;
  }
  return count;
}
