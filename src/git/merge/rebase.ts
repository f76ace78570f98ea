import type { SignObject } from "../objects/format.ts";
import type { Commit, Oid, Signature } from "../types.ts";
import type { Workbench } from "./workbench.ts";

export interface RebaseRequest {
  /** Commits to rebase, oldest first, without merges. */
  readonly commits: readonly Commit[];
  readonly ontoOid: Oid;
  /** Committer of the new commits; authors are kept. */
  readonly committer: Signature;
  /** Signs the new commits; original signatures are lost. */
  readonly sign?: SignObject | undefined;
  /** Overrides a commit's message. */
  readonly message?: (commit: Commit) => string;
}

export type Rebased =
  | { readonly kind: "clean"; readonly tipOid: Oid }
  /** `commitOid` is the commit that does not apply. */
  | { readonly kind: "conflict"; readonly commitOid: Oid; readonly paths: readonly string[] };

/**
 * Rebases commits onto another tip, one by one. A commit whose change is already present is dropped, as `git rebase` does; one that was
 * empty from the start is kept. A commit that already has the right parent is reused.
 */
export async function rebase(bench: Workbench, { commits, ontoOid, committer, sign, message }: RebaseRequest): Promise<Rebased> {
  let tip = await bench.readCommit(ontoOid);
  for (const commit of commits) {
    const parentOid = commit.parentOids[0];
    if (parentOid === tip.oid && message === undefined) {
      tip = commit;
      continue;
    }
    const base = parentOid === undefined ? undefined : await bench.readCommit(parentOid);
    const merged = await bench.mergeTrees({ baseOid: base?.treeOid, oursOid: tip.treeOid, theirsOid: commit.treeOid });
    if (merged.kind !== "clean") return { kind: "conflict", commitOid: commit.oid, paths: merged.kind === "conflict" ? merged.paths : [] };
    const wasEmpty = base?.treeOid === commit.treeOid;
    if (merged.treeOid === tip.treeOid && !wasEmpty) continue;
    const text = message === undefined ? commit.message : message(commit);
    const { author } = commit;
    const oid = bench.commit({ treeOid: merged.treeOid, parentOids: [tip.oid], author, committer, message: text, isVerbatim: true }, sign);
    tip = await bench.readCommit(oid);
  }
  return { kind: "clean", tipOid: tip.oid };
}
