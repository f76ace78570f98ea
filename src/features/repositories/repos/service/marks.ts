import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";

type MarkEvent = "repo.starred" | "repo.unstarred" | "repo.watched" | "repo.unwatched";

/** Records that a user stars or watches a repository, or no longer does. */
export async function recordMark(tx: Tx, actor: UserActor, { id, name, ownerId, ownerName }: RepositorySubject, type: MarkEvent): Promise<void> {
  await recordEvent(tx, type, { repoId: id, name, ownerId, ownerName }, { repoId: id, actorId: actor.id });
}
