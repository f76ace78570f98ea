import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import { canReadIssue } from "../../issues/rights.ts";
import type { Holder } from "../model.ts";
import { countWaiting, deleteWaiting } from "../store.ts";

/** As long as drafts of forms are kept. */
const keptMs = 30 * 86_400_000;
/** Per user, in all repositories. */
const maxWaiting = 200;

/**
 * The parent of files uploaded while the user writes: unattached and visible only to them, until one of their texts in this repository
 * references them.
 * @throws ForgeError `not_found` if the user reads neither issues nor pull requests; `forbidden` for users whom the owner has blocked;
 * `invalid` with too many pending uploads
 */
export async function waitingHolder(deps: { readonly db: Reader }, actor: UserActor, repository: RepositorySubject): Promise<Holder> {
  if (![true, false].some((isPull) => canReadIssue(repository, { isPull }))) throw notFound();
  await requireUnblocked(deps, actor, repository.ownerId);
  if ((await countWaiting(deps.db, actor.id)) >= maxWaiting)
    throw invalid(`${maxWaiting} of your uploads are not referenced by a text yet: submit those texts first`, { reason: "too_many_uploads" });
  return { repoId: repository.id, issueId: null, commentId: null, releaseId: null };
}

/** Deletes pending uploads that no text has referenced. The next sweep deletes their contents. */
export const pruneUploads = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> =>
  db.tx((tx) => deleteWaiting(tx, clock.now() - keptMs));
