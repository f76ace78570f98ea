import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid } from "../../../../core/errors.ts";
import { type Watching, watchesAll, watchKinds } from "../../../../core/watching.ts";
import type { Db } from "../../../../db/db.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import { deleteMark, findMark, insertMark } from "../store/star-and-watch-lists.ts";
import { updateWatchedKinds } from "../store/watching.ts";
import { findRepositoryById } from "./find.ts";
import { recordMark } from "./marks.ts";

/**
 * Sets the caller's level; repeating it has no effect.
 * @returns the time since which the caller watches or ignores the repository
 * @throws ForgeError `invalid` without any kind, `forbidden` to watch for users whom the owner has blocked
 */
export async function setWatching(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, level: Watching): Promise<number> {
  if (level.length === 0) throw invalid("at least one kind of activity is required", { reason: "nothing_chosen" });
  const { id } = repository;
  return deps.db.tx(async (tx) => {
    // The repository can have been hidden or deleted concurrently; a row would reveal it permanently.
    await findRepositoryById({ db: tx }, id, actor);
    if (typeof level === "string") {
      if (await deleteMark(tx, "watches", id, actor.id)) await recordMark(tx, actor, repository, "repo.unwatched");
      await (level === "ignored" ? insertMark : deleteMark)(tx, "ignored_repositories", id, actor.id);
      return (await findMark(tx, "ignored_repositories", id, actor.id)) ?? tx.nowMs;
    }
    await requireUnblocked({ db: tx }, actor, repository.ownerId);
    await deleteMark(tx, "ignored_repositories", id, actor.id);
    const isNew = await insertMark(tx, "watches", id, actor.id);
    if (isNew) await recordMark(tx, actor, repository, "repo.watched");
    if (!isNew || !watchesAll(level)) await updateWatchedKinds(tx, id, actor.id, level);
    return (await findMark(tx, "watches", id, actor.id)) ?? tx.nowMs;
  });
}

/** Watches all activity of a repository, as {@link setWatching}. */
export const watchAll = (deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject): Promise<number> =>
  setWatching(deps, actor, repository, watchKinds);
