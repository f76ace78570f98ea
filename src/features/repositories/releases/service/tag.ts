import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, invalid, locked, notFound } from "../../../../core/errors.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { type BranchDeps, codeStore } from "../../branches/service/deps.ts";
import { type PreparedTag, prepareTag, type TaggingDeps } from "../../branches/service/tags.ts";
import { moverOf } from "../../protections/service/guard.ts";
import { tagPrefix } from "../../refs/model.ts";
import { refusalError } from "../../refs/moves.ts";
import { findRef } from "../../refs/service/read.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";

export type ReleaseDeps = BranchDeps & TaggingDeps;

export interface TagInput {
  readonly tagName: string;
  /** Empty: the default branch. */
  readonly target: string;
  /** Empty: a lightweight tag. */
  readonly message: string;
}

export const isTagged = async (db: Reader, { codeStoreId }: Pick<RepositorySubject, "codeStoreId">, tagName: string): Promise<boolean> =>
  (await findRef(db, codeStoreId, tagPrefix + tagName)) !== undefined;

/**
 * Writes what the tag of a release that has none needs of objects.
 * @throws ForgeError `not_found` for an unknown target, `locked` where nobody makes tags
 */
export async function prepareReleaseTag(deps: ReleaseDeps, actor: UserActor, repository: RepositorySubject, wish: TagInput): Promise<PreparedTag> {
  if (repository.isArchived || repository.isMirror) throw locked(`${repository.fullName} is ${repository.isArchived ? "archived" : "a mirror"}`);
  const target = wish.target === "" ? repository.defaultBranch : wish.target;
  const found = await resolveRev(deps, codeStore(deps, repository), target);
  if (found === undefined) throw notFound(`target "${target}" not found: object does not exist [id: ${target}, rel_path: ]`);
  return prepareTag(deps, actor, repository, { name: wish.tagName, commitOid: found.commitOid, message: wish.message });
}

/**
 * Makes sure, in the transaction that publishes a release, that its tag is there.
 * @throws ForgeError `invalid` for a tag under a rule, `conflict` for one that has gone meanwhile or cannot be beside another
 */
export async function ensureReleaseTag(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  { tagName, prepared }: { readonly tagName: string; readonly prepared: PreparedTag | undefined },
): Promise<void> {
  if (prepared !== undefined) {
    const move = { repoId: repository.id, mover: moverOf(actor, repository), via: "api", mode: "each", ...prepared } as const;
    const { refused } = await moveRepositoryRefs(tx, move);
    if (refused.length === 0) return;
    for (const refusal of refused) {
      if (refusal.reason === "protected") throw invalid(`release tag name is protected [tag_name: ${tagName}]`);
      // Somebody else has made it meanwhile: then the release is of that one.
      if (refusal.reason !== "stale") throw refusalError(refusal);
    }
  }
  if (!(await isTagged(tx, repository, tagName))) throw conflict(`the tag ${tagName} has been deleted meanwhile`);
}
