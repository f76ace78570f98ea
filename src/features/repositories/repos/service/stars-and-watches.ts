import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsersInOrder } from "../../../accounts/users/service/accounts.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import type { RepositoryView } from "../model.ts";
import { deleteMark, findMark, insertMark, type MarkTable, pageMarkedIds, pageMarkingAccountIds } from "../store/star-and-watch-lists.ts";
import { findRepositoryById } from "./find.ts";
import { loadRepositoryViews } from "./loaders.ts";

/** A repository is starred, or watched. */
export type Mark = "star" | "watch";
const tables: Readonly<Record<Mark, MarkTable>> = { star: "stars", watch: "watches" };

interface ReadDeps {
  readonly db: Reader;
}

/** When the caller began to star or watch a repository; undefined when he does not. */
export const getMark = (deps: ReadDeps, actor: UserActor, repository: RepositorySubject, mark: Mark): Promise<number | undefined> =>
  findMark(deps.db, tables[mark], repository.id, actor.id);

/**
 * Stars or watches a repository; again changes nothing.
 * @returns when it began
 * @throws ForgeError `forbidden` for users whom the owner has blocked
 */
export async function putMark(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, mark: Mark): Promise<number> {
  return deps.db.tx(async (tx) => {
    // A mark on what was hidden or deleted meanwhile would tell of it for good.
    await findRepositoryById({ db: tx }, repository.id, actor);
    await requireUnblocked({ db: tx }, actor, repository.ownerId);
    if (await insertMark(tx, tables[mark], repository.id, actor.id)) {
      await recordEvent(tx, mark === "star" ? "repo.starred" : "repo.watched", eventOf(repository), { repoId: repository.id, actorId: actor.id });
    }
    return (await findMark(tx, tables[mark], repository.id, actor.id)) ?? tx.nowMs;
  });
}

/** Ends the caller's star or watch; where there is none it does nothing. */
export async function removeMark(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, mark: Mark): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await deleteMark(tx, tables[mark], repository.id, actor.id))) return;
    await recordEvent(tx, mark === "star" ? "repo.unstarred" : "repo.unwatched", eventOf(repository), { repoId: repository.id, actorId: actor.id });
  });
}

const eventOf = ({ id, name, ownerId, ownerName }: RepositorySubject) => ({ repoId: id, name, ownerId, ownerName });

/** Repositories that an account stars or watches, as far as the caller can read them, the newest first. */
export async function listMarkedRepositories(deps: ReadDeps, actor: Actor, accountId: number, mark: Mark, page: Page): Promise<Paged<RepositoryView>> {
  const { items, total } = await pageMarkedIds(deps.db, tables[mark], accountId, actor, page);
  return { items: await loadRepositoryViews(deps, actor, items), total };
}

/** Who stars or watches a repository, as far as they show themselves to the caller. */
export async function listAccountsThatMarked(deps: ReadDeps, actor: Actor, repository: RepositorySubject, mark: Mark, page: Page): Promise<Paged<UserView>> {
  const { items, total } = await pageMarkingAccountIds(deps.db, tables[mark], repository.id, actor, page);
  return { items: await loadUsersInOrder(deps, items), total };
}
