import { notFound } from "../../../core/errors.ts";
import { streamDiff } from "../../../git/diff.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { compareCommits, parseEnds } from "../../commits/service/compare.ts";
import { type Difference, readBounded } from "../../commits/service/difference.ts";
import type { Comparison } from "../../commits/view.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { bringHead } from "./bring-head.ts";
import { findMergeBase } from "./checks.ts";
import type { PullDeps, PullViewing } from "./deps.ts";

export interface ShownComparison extends Comparison, Difference {
  readonly base: string;
  /** As a pull request calls it. */
  readonly head: string;
}

/** Bounds what git writes where the reader leaves before the end. */
const maxTextBytes = 4 * 1024 * 1024;

/**
 * What a head would bring into a base, as far as a page shows it: its commits, and what they change since the two parted.
 * @throws ForgeError `not_found` for an end that there is not
 */
export async function readComparison(deps: PullDeps, viewing: PullViewing, basehead: string): Promise<ShownComparison> {
  const { repository, signal } = viewing;
  const detail = { stats: false, files: false, verification: true };
  const comparing = { ...deps, bringHead: (viewer: PullViewing, head: string) => bringHead(deps, viewer, head) };
  const comparison = await compareCommits(comparing, { ...viewing, detail }, basehead);
  const { base, head: end } = parseEnds(basehead, repository);
  const named = { ...comparison, base, head: "rev" in end ? end.rev : end.elsewhere };
  // The newest of the commits that the base lacks is the head itself.
  const headOid = comparison.commits[0]?.commit.oid;
  if (headOid === undefined) return { ...named, files: [], isCut: false };
  const store = codeStore(deps, repository);
  const baseOid = (await resolveRev(deps, store, base))?.commitOid;
  if (baseOid === undefined) throw notFound();
  const fromOid = await findMergeBase(store, baseOid, headOid, signal);
  const { stdout } = await streamDiff(store, fromOid, headOid, { signal, maxBytes: maxTextBytes });
  return { ...named, ...(await readBounded(stdout)) };
}
