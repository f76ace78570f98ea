import type { Reader } from "../../../db/db.ts";
import { isOid } from "../../../git/commands.ts";
import { formatOfOid } from "../../../git/hash.ts";
import { peelToCommit, resolvePrefix } from "../../../git/objects.ts";
import { isValidBranchName, isValidTagName } from "../../../git/ref-names.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import { loadRefs } from "../store/refs.ts";
import { branchPrefix, tagPrefix } from "../view.ts";

export type RevKind = "branch" | "tag" | "commit";

/** What a caller's word for a commit means. */
export interface ResolvedRev {
  readonly kind: RevKind;
  /** What the word names itself: the tag object where an annotated tag or its complete id was given, else the commit. */
  readonly oid: Oid;
  readonly commitOid: Oid;
  /** Full name of the branch or tag. */
  readonly refName: string | undefined;
}

const everyKind: readonly RevKind[] = ["branch", "tag", "commit"];

/**
 * A commit by what a caller calls it: the name of a branch, of a tag, an object id or at least seven first digits of one, in this order.
 * Nothing else means anything here, so no word of a caller ever reaches git: `HEAD^`, `@{1}`, `:/text`, `-x` are names that nothing has.
 * One statement at most. Undefined when there is none, when the digits fit several objects, or what is found leads to no commit.
 */
export async function resolveRev(
  deps: { readonly db: Reader },
  store: GitStore,
  rev: string,
  kinds: readonly RevKind[] = everyKind,
): Promise<ResolvedRev | undefined> {
  const branch = kinds.includes("branch") && isValidBranchName(rev) ? branchPrefix + rev : undefined;
  const tag = kinds.includes("tag") && isValidTagName(rev) ? tagPrefix + rev : undefined;
  const names = [branch, tag].filter((name) => name !== undefined);
  const refs = await loadRefs(deps.db, store.id, names);
  const branchRef = branch === undefined ? undefined : refs.get(branch);
  if (branchRef !== undefined) return { kind: "branch", oid: branchRef.oid, commitOid: branchRef.oid, refName: branchRef.name };
  const tagRef = tag === undefined ? undefined : refs.get(tag);
  if (tagRef !== undefined) {
    const commit = await peelToCommit(store, tagRef.oid);
    return commit && { kind: "tag", oid: tagRef.oid, commitOid: commit.oid, refName: tagRef.name };
  }
  return kinds.includes("commit") ? resolveOid(store, rev) : undefined;
}

async function resolveOid(store: GitStore, digits: string): Promise<ResolvedRev | undefined> {
  const oid = digits.toLowerCase();
  if (isOid(oid) && formatOfOid(oid) === store.format) {
    const commit = await peelToCommit(store, oid);
    return commit && { kind: "commit", oid, commitOid: commit.oid, refName: undefined };
  }
  const commit = await resolvePrefix(store, oid, "commit");
  return commit && { kind: "commit", oid: commit.oid, commitOid: commit.oid, refName: undefined };
}
