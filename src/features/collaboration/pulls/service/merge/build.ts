import { conflict, refused } from "../../../../../core/errors.ts";
import type { MergeStyle } from "../../../../../db/tables/pulls.ts";
import { listCommitOids } from "../../../../../git/history/log.ts";
import { rebase } from "../../../../../git/merge/rebase.ts";
import { type Merged, openWorkbench, type Workbench } from "../../../../../git/merge/workbench.ts";
import type { SignObject } from "../../../../../git/objects/format.ts";
import { readCommit } from "../../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../../git/stores.ts";
import type { Commit, GitObject, Oid, Signature } from "../../../../../git/types.ts";
import { requireCommits } from "../../../../repositories/commits/service/loaders.ts";

/** Styles that create commits, or move the base to existing commits. */
export type BuiltStyle = Exclude<MergeStyle, "manually-merged">;

export interface MergePlan {
  readonly style: BuiltStyle;
  readonly baseOid: Oid;
  readonly headOid: Oid;
  readonly mergeBaseOid: Oid | null;
  /** The merger at the current time: committer of all new commits, and author of a merge commit. */
  readonly committer: Signature;
  /** Author of a squashed commit. */
  readonly author: Signature;
  /** Message of a merge commit or squashed commit. @param authors of the merged commits */
  readonly message: (authors: readonly Signature[]) => string;
  readonly sign: SignObject | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BuiltMerge {
  /** New tip of the base branch. */
  readonly tip: Commit;
  /** Objects to store before a transaction points to the tip. */
  readonly objects: readonly GitObject[];
}

/**
 * Creates the commits of a merge in memory: nothing changes before they are stored and the branch moves.
 * @throws ForgeError `refused` on conflicts, `conflict` if a fast-forward is not possible
 */
export async function buildMerge(store: GitStore, plan: MergePlan): Promise<BuiltMerge> {
  await using bench = openWorkbench(store, plan.signal);
  const tipOid = await makeTip(store, bench, plan);
  return { tip: await bench.readCommit(tipOid), objects: bench.objects() };
}

async function makeTip(store: GitStore, bench: Workbench, plan: MergePlan): Promise<Oid> {
  const { style, baseOid, headOid, committer, author, sign } = plan;
  switch (style) {
    case "fast-forward-only":
      if (plan.mergeBaseOid !== baseOid)
        throw conflict("the base branch has commits that the head lacks: it cannot be fast-forwarded", { reason: "not_fast_forward" });
      return headOid;
    case "merge": {
      const treeOid = treeOf(await bench.mergeCommits(baseOid, headOid));
      return bench.commit({ treeOid, parentOids: [baseOid, headOid], author: committer, committer, message: plan.message([]), isVerbatim: true }, sign);
    }
    case "squash": {
      const treeOid = treeOf(await bench.mergeCommits(baseOid, headOid));
      const authors = (await commitsOf(store, plan)).map((commit) => commit.author);
      return bench.commit({ treeOid, parentOids: [baseOid], author, committer, message: plan.message(authors), isVerbatim: true }, sign);
    }
    case "rebase":
      return rebased(store, bench, plan);
    case "rebase-merge": {
      const tip = await bench.readCommit(await rebased(store, bench, plan));
      const parentOids = [baseOid, tip.oid];
      return bench.commit({ treeOid: tip.treeOid, parentOids, author: committer, committer, message: plan.message([]), isVerbatim: true }, sign);
    }
  }
}

async function rebased(store: GitStore, bench: Workbench, plan: MergePlan): Promise<Oid> {
  const commits = (await commitsOf(store, plan)).filter(({ parentOids }) => parentOids.length < 2);
  const result = await rebase(bench, { commits, ontoOid: plan.baseOid, committer: plan.committer, sign: plan.sign });
  if (result.kind === "clean") return result.tipOid;
  throw refused(`the commit ${result.commitOid} does not apply to the base branch${listed(result.paths)}`, { meta: { reason: "conflict" } });
}

/**
 * Commits of a head, parents before children, that can enter the base unchanged: all for a merge or fast-forward, otherwise those that a
 * rebase would leave in place.
 */
export function keptCommits(commits: readonly Commit[], baseOid: Oid, style: BuiltStyle): readonly Commit[] {
  if (style === "squash") return [];
  if (style === "merge" || style === "fast-forward-only") return commits;
  const places = new Set<Oid | undefined>([baseOid]);
  return commits.filter(({ oid, parentOids }) => parentOids.length < 2 && places.has(parentOids[0]) && places.add(oid));
}

function treeOf(merged: Merged): Oid {
  if (merged.kind === "clean") return merged.treeOid;
  throw conflicted(merged);
}

const conflicted = (merged: Exclude<Merged, { readonly kind: "clean" }>) =>
  merged.kind === "unrelated"
    ? refused("the head and the base branch have unrelated histories", { meta: { reason: "conflict" } })
    : refused(`the head conflicts with the base branch${listed(merged.paths)}`, { meta: { reason: "conflict" } });

const maxNamed = 10;
/** Names the first of some paths, for a message. */
export const listed = (paths: readonly string[]): string =>
  paths.length === 0 ? "" : ` in ${paths.slice(0, maxNamed).join(", ")}${paths.length > maxNamed ? ` and ${paths.length - maxNamed} more files` : ""}`;

/** Maximum number of commits in a pull request. */
const maxCommits = 10_000;
/** A linear head that starts at the base is read commit by commit; git lists all others. */
const maxChain = 256;

/** Commits of a head that a base lacks, parents before children. */
export async function commitsOf(
  store: GitStore,
  { baseOid, headOid, mergeBaseOid }: Pick<MergePlan, "baseOid" | "headOid" | "mergeBaseOid">,
): Promise<Commit[]> {
  return (await chainOf(store, headOid, mergeBaseOid)) ?? listCommits(store, baseOid, headOid);
}

async function chainOf(store: GitStore, headOid: Oid, mergeBaseOid: Oid | null): Promise<Commit[] | undefined> {
  const commits: Commit[] = [];
  let oid: Oid | undefined = headOid;
  while (oid !== mergeBaseOid) {
    const commit: Commit | undefined = oid === undefined || commits.length === maxChain ? undefined : await readCommit(store, oid);
    if (commit === undefined || commit.parentOids.length !== 1) return undefined;
    commits.push(commit);
    oid = commit.parentOids[0];
  }
  return commits.reverse();
}

async function listCommits(store: GitStore, baseOid: Oid, headOid: Oid): Promise<Commit[]> {
  const oids = await listCommitOids(store, { tipOids: [headOid], notOids: [baseOid], limit: maxCommits + 1 });
  if (oids.length > maxCommits) throw refused("the head has too many commits to rebase them one by one", { reason: "too_many_commits" });
  return parentsFirst(new Map((await requireCommits(store, oids)).map((commit) => [commit.oid, commit])), headOid);
}

/** Uses an explicit stack, because histories can be deeper than the call stack. */
function parentsFirst(commits: ReadonlyMap<Oid, Commit>, headOid: Oid): Commit[] {
  const done = new Set<Oid>();
  const ordered: Commit[] = [];
  const stack = [headOid];
  for (let oid = stack.at(-1); oid !== undefined; oid = stack.at(-1)) {
    const commit = commits.get(oid);
    const open = commit === undefined || done.has(oid) ? [] : commit.parentOids.filter((parent) => commits.has(parent) && !done.has(parent));
    if (open.length > 0) {
      stack.push(...open.reverse());
      continue;
    }
    stack.pop();
    if (commit !== undefined && !done.has(oid)) ordered.push(commit);
    done.add(oid);
  }
  return ordered;
}
