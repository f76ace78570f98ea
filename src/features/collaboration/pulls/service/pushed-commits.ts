import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { walkBetween } from "../../../../git/objects/walk.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import type { PullRow } from "../model.ts";
import type { PullDeps } from "./deps.ts";
import { storeWithHead } from "./heads.ts";

/** A push to the head of a pull request. */
export interface HeadPush {
  readonly headOid: Oid;
  readonly formerHeadOid: Oid;
}

/** Commits of a push, newest first; empty if they have been removed. */
export async function listPushedCommits(
  deps: Pick<PullDeps, "db" | "git">,
  repository: RepositorySubject,
  pull: Pick<PullRow, "headStoreId">,
  { headOid, formerHeadOid }: HeadPush,
  limit: number,
): Promise<readonly Commit[]> {
  try {
    const store = await storeWithHead(deps, repository, { headStoreId: pull.headStoreId, headOid });
    return await walkBetween(store, headOid, formerHeadOid, limit);
  } catch (error) {
    if (isForgeError(error, "not_found") || isForgeError(error, "invalid")) return [];
    throw error;
  }
}
