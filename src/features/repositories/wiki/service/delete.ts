import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Db } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { requireRepositoryOwner } from "../../repos/service/require.ts";
import { dropWikiStore } from "../../repos/service/wiki.ts";

/**
 * Deletes all pages of a wiki with their history. The wiki stays enabled and can be written again.
 * @throws ForgeError `forbidden` for users who do not own the repository, `not_found` without a wiki
 */
export async function deleteWiki({ db }: { readonly db: Db }, actor: UserActor, repository: RepositorySubject): Promise<void> {
  requireRepositoryOwner(repository);
  const { id: repoId, name, ownerId, ownerName } = repository;
  await db.tx(async (tx) => {
    if (!(await dropWikiStore(tx, repoId))) throw notFound();
    await recordEvent(tx, "repo.wiki_deleted", { repoId, name, ownerId, ownerName }, { repoId, by: actor });
  });
}
