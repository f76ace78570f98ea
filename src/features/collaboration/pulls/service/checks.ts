import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { treeChanges } from "../../../../git/history/diff.ts";
import { mergeBases } from "../../../../git/history/log.ts";
import { nearMergeBases } from "../../../../git/history/merge-bases.ts";
import { openWorkbench } from "../../../../git/merge/workbench.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { saveDerived } from "../../../repositories/commits/service/derived.ts";
import type { PullCheck, PullRow, PullSize } from "../model.ts";
import { saveChecks } from "../store/checks.ts";
import type { PullDeps } from "./deps.ts";
import { storeWithHead } from "./heads.ts";

/**
 * The merge base of two commits; one of several in criss-cross histories. Undefined: unrelated histories. Usually without a process.
 */
export async function findMergeBase(store: GitStore, baseOid: Oid, headOid: Oid, signal?: AbortSignal): Promise<Oid | undefined> {
  const [first] = (await nearMergeBases(store, baseOid, headOid)) ?? (await mergeBases(store, baseOid, headOid, signal));
  return first;
}

/** Checks whether a head merges into a base, and finds the merge base. Depends only on the two ids; the store contains both. */
export async function computeCheck(store: GitStore, baseOid: Oid, headOid: Oid, signal?: AbortSignal): Promise<PullCheck> {
  const mergeBaseOid = (await findMergeBase(store, baseOid, headOid, signal)) ?? null;
  const isEmpty = mergeBaseOid === headOid;
  const parts = { baseOid, headOid, mergeBaseOid, isEmpty, size: null };
  if (isEmpty || mergeBaseOid === baseOid) return { ...parts, outcome: "clean" };
  await using bench = openWorkbench(store, signal);
  const { kind } = await bench.mergeCommits(baseOid, headOid);
  return { ...parts, outcome: kind };
}

/** The stored check if it matches the current tips; for a merged pull request, the last one before its merge. */
export function presentCheck({ check, baseTipOid, headOid, merged }: Pick<PullRow, "check" | "baseTipOid" | "headOid" | "merged">): PullCheck | undefined {
  const baseOid = merged?.baseOid ?? baseTipOid;
  return check !== null && check.headOid === headOid && (check.baseOid === baseOid || baseOid === null) ? check : undefined;
}

export interface CheckInput {
  readonly repository: Pick<RepositorySubject, "codeStoreId" | "objectFormat">;
  /** Also computes the size of the changes: one process for each pull request without a stored size. */
  readonly sizes: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of concurrent computations. */
const atOnce = 4;

/**
 * Checks of a repository's pull requests for their current tips, by id. Computes and stores missing ones. A pull request without its base
 * branch, or with an unreadable head, has none.
 */
export async function loadChecks(deps: PullDeps, pulls: readonly PullRow[], input: CheckInput): Promise<ReadonlyMap<number, PullCheck>> {
  const found = new Map<number, PullCheck>();
  const fresh = new Map<number, PullCheck>();
  const missing: PullRow[] = [];
  for (const pull of pulls) {
    const known = presentCheck(pull);
    if (known !== undefined && (known.size !== null || !input.sizes)) found.set(pull.id, known);
    else missing.push(pull);
  }
  for (let at = 0; at < missing.length; at += atOnce) {
    await Promise.all(
      missing.slice(at, at + atOnce).map(async (pull) => {
        const check = await completeCheck(deps, pull, input);
        if (check !== undefined) fresh.set(pull.id, check);
      }),
    );
  }
  if (fresh.size > 0) await saveDerived(deps, (tx) => saveChecks(tx, fresh));
  return new Map([...found, ...fresh]);
}

const completeCheck = (deps: PullDeps, pull: PullRow, { repository, sizes, signal }: CheckInput): Promise<PullCheck | undefined> =>
  withCheck(deps, repository, pull, async (store, check) => (sizes ? { ...check, size: await computeSize(store, check, signal) } : check), signal);

/**
 * Calls a function with the check of a pull request and the store of its commits: the stored check if it matches the current tips, otherwise
 * a computed one.
 * @returns undefined if the base branch or the commits of the head are gone
 */
export async function withCheck<Result>(
  deps: Pick<PullDeps, "db" | "git">,
  repository: CheckInput["repository"],
  pull: PullRow,
  use: (store: GitStore, check: PullCheck) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | undefined> {
  const baseOid = pull.merged?.baseOid ?? pull.baseTipOid;
  if (baseOid === null) return undefined;
  try {
    const store = await storeWithHead(deps, repository, pull, signal);
    return await use(store, presentCheck(pull) ?? (await computeCheck(store, baseOid, pull.headOid, signal)));
  } catch (error) {
    // The head was deleted with its fork before it was copied: all other fields of the pull request can still be shown.
    if (!isForgeError(error, "not_found") && !isForgeError(error, "invalid")) throw error;
    return undefined;
  }
}

/** Size of the head's changes since the merge base; null if there are too many to count. One process. */
export async function computeSize(
  store: GitStore,
  { mergeBaseOid, headOid }: Pick<PullCheck, "mergeBaseOid" | "headOid">,
  signal?: AbortSignal,
): Promise<PullSize | null> {
  if (mergeBaseOid === headOid) return { changedFiles: 0, additions: 0, deletions: 0 };
  try {
    const { fileCount, additions, deletions } = await treeChanges(store, mergeBaseOid ?? undefined, headOid, { renames: true, maxFiles: 0, signal });
    return { changedFiles: fileCount, additions, deletions };
  } catch (error) {
    if (isForgeError(error, "refused")) return null;
    throw error;
  }
}
