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
  /** Empty for the default branch. */
  readonly target: string;
  /** Creates a lightweight tag if empty. */
  readonly message: string;
}

export const isTagged = async (db: Reader, { codeStoreId }: Pick<RepositorySubject, "codeStoreId">, tagName: string): Promise<boolean> =>
  (await findRef(db, codeStoreId, tagPrefix + tagName)) !== undefined;

/**
 * Writes the tag object for a release whose tag does not exist.
 * @throws ForgeError `not_found` for an unknown target, `locked` if the repository accepts no tags
 */
export async function prepareReleaseTag(deps: ReleaseDeps, actor: UserActor, repository: RepositorySubject, input: TagInput): Promise<PreparedTag> {
  if (repository.isArchived || repository.isMirror)
    throw locked(`${repository.fullName} is ${repository.isArchived ? "archived" : "a mirror"}`, {
      reason: repository.isArchived ? "repository_archived" : "repository_mirror",
    });
  const target = input.target === "" ? repository.defaultBranch : input.target;
  const found = await resolveRev(deps, codeStore(deps, repository), target);
  if (found === undefined) throw notFound(`target "${target}" not found: object does not exist [id: ${target}, rel_path: ]`, { reason: "target_not_found" });
  return prepareTag(deps, actor, repository, { name: input.tagName, commitOid: found.commitOid, message: input.message });
}

/**
 * Creates the tag of a release if missing, in the transaction that publishes the release.
 * @throws ForgeError `invalid` for a protected tag, `conflict` for a tag that was deleted concurrently or conflicts with another ref
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
      if (refusal.reason === "protected") throw invalid(`release tag name is protected [tag_name: ${tagName}]`, { reason: "tag_protected" });
      // The tag was created concurrently; the release uses it.
      if (refusal.reason !== "stale") throw refusalError(refusal);
    }
  }
  if (!(await isTagged(tx, repository, tagName)))
    throw conflict(`the tag ${tagName} was deleted in the meantime`, { reason: "changed_meanwhile", field: "tag_name" });
}
