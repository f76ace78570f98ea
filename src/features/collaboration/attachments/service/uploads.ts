import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import { canReadIssue } from "../../issues/rights.ts";
import type { Holder } from "../model.ts";
import { countWaiting, deleteWaiting } from "../store.ts";

/** As long as what is typed into a form is kept. */
const keptMs = 30 * 86_400_000;
/** Of one user, everywhere. */
const maxWaiting = 200;

/**
 * A place for files that somebody uploads while he writes: they hang nowhere, and nobody else sees them, until one of his texts here names them.
 * @throws ForgeError `not_found` where he reads neither issues nor pull requests; `forbidden` for users whom the owner has blocked; `invalid` where too many wait
 */
export async function waitingHolder(deps: { readonly db: Reader }, actor: UserActor, repository: RepositorySubject): Promise<Holder> {
  if (![true, false].some((isPull) => canReadIssue(repository, { isPull }))) throw notFound();
  await requireUnblocked(deps, actor, repository.ownerId);
  if ((await countWaiting(deps.db, actor.id)) >= maxWaiting)
    throw invalid(`${maxWaiting} of your files wait for a text that names them: send those texts first`);
  return { repoId: repository.id, issueId: null, commentId: null, releaseId: null };
}

/** Forgets files that no text came to name. Their contents go with the next sweep of files. */
export const pruneUploads = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> =>
  db.tx((tx) => deleteWaiting(tx, clock.now() - keptMs));
