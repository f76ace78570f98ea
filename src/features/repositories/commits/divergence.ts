import type { Oid } from "../../../git/types.ts";

/** How far two commits are apart. */
export interface Divergence {
  /** Commits that only the head has. */
  readonly ahead: number;
  /** Commits that only the base has. */
  readonly behind: number;
}

type Parents = ReadonlyMap<Oid, readonly Oid[]>;

/**
 * How far heads are from a base, told from a part of the history: the newest commits that all of them lead to. Undefined for a head whose commits, or the
 * base's, go on beyond the part on a way of their own: how many they are cannot be told from it.
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

/** All that a commit leads to; what lies beyond the part has no parents in it. */
function reach(parents: Parents, oid: Oid): ReadonlySet<Oid> {
  const seen = new Set([oid]);
  for (const one of seen) for (const parent of parents.get(one) ?? []) seen.add(parent);
  return seen;
}

/** How many commits the one has and the other lacks; undefined where one of them is not in the part. */
function countBeyond(parents: Parents, one: ReadonlySet<Oid>, other: ReadonlySet<Oid>): number | undefined {
  let count = 0;
  for (const oid of one) {
    if (other.has(oid)) continue;
    if (!parents.has(oid)) return undefined;
    count++;
  }
  return count;
}
