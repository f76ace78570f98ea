import { isForgeError } from "../../../../core/errors.ts";
import { copyObjectsFrom } from "../../../../git/receive/copy-objects.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import type { BroughtHead } from "../../../repositories/commits/service/compare.ts";
import { refTips } from "../../../repositories/refs/service/read.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findHead, isOpenToAll, type PullEnd, requireBranch } from "./ends.ts";

/**
 * The store of a repository with the branch of a fork copied into it. Copied objects become readable there, so only a branch that everyone
 * can read is copied for a comparison; other branches need a pull request.
 * @returns undefined for a branch that the caller, or not everyone, can read
 */
export async function bringHead(
  deps: Pick<PullDeps, "db" | "git">,
  { actor, repository, signal }: PullViewing,
  head: string,
): Promise<BroughtHead | undefined> {
  let end: PullEnd;
  let headOid: Oid;
  try {
    end = await findHead(deps, actor, repository, head);
    headOid = await requireBranch(deps, end);
  } catch (error) {
    if (isForgeError(error, "not_found") || isForgeError(error, "malformed") || isForgeError(error, "invalid")) return undefined;
    throw error;
  }
  if (!(await isOpenToAll(deps, end.repository))) return undefined;
  const store = codeStore(deps, repository);
  const knownOids = refTips(deps.db, store);
  await copyObjectsFrom(codeStore(deps, end.repository), store, { tipOids: [headOid], knownOids, signal });
  return { headOid, repository: end.repository };
}
