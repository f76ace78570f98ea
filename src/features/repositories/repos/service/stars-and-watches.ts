import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsersInOrder } from "../../../accounts/users/service/accounts.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import type { RepositoryView } from "../model.ts";
import { deleteMark, findMark, insertMark, type MarkTable, pageMarkedIds, pageMarkingAccountIds } from "../store/star-and-watch-lists.ts";
import { findRepositoryById } from "./find.ts";
import { loadRepositoryViews } from "./loaders.ts";
import { recordMark } from "./marks.ts";
import { watchAll } from "./watching.ts";

export type Mark = "star" | "watch";
const tables = { star: "stars", watch: "watches", ignored: "ignored_repositories" } as const satisfies Record<Mark | "ignored", MarkTable>;

interface ReadDeps {
  readonly db: Reader;
}

/** Start time of the caller's star or watch; undefined if there is none. */
export const getMark = (deps: ReadDeps, actor: UserActor, repository: RepositorySubject, mark: Mark): Promise<number | undefined> =>
  findMark(deps.db, tables[mark], repository.id, actor.id);

/**
 * Stars a repository, or watches all its activity; repeating it has no effect.
 * @returns the start time
 * @throws ForgeError `forbidden` for users whom the owner has blocked
 */
export async function putMark(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, mark: Mark): Promise<number> {
  if (mark === "watch") return watchAll(deps, actor, repository);
  return deps.db.tx(async (tx) => {
    // The repository can have been hidden or deleted concurrently; a star would reveal it permanently.
    await findRepositoryById({ db: tx }, repository.id, actor);
    await requireUnblocked({ db: tx }, actor, repository.ownerId);
    if (await insertMark(tx, "stars", repository.id, actor.id)) await recordMark(tx, actor, repository, "repo.starred");
    return (await findMark(tx, "stars", repository.id, actor.id)) ?? tx.nowMs;
  });
}

/** Removes the caller's star or watch, if any. */
export async function removeMark(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, mark: Mark): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await deleteMark(tx, tables[mark], repository.id, actor.id))) return;
    await recordMark(tx, actor, repository, mark === "star" ? "repo.unstarred" : "repo.unwatched");
  });
}

/** Repositories that an account stars, watches or ignores and the caller can read, latest first. */
export async function listMarkedRepositories(
  deps: ReadDeps,
  actor: Actor,
  accountId: number,
  mark: Mark | "ignored",
  page: Page,
): Promise<Paged<RepositoryView>> {
  const { items, total } = await pageMarkedIds(deps.db, tables[mark], accountId, actor, page);
  return { items: await loadRepositoryViews(deps, actor, items), total };
}

/** Accounts that star or watch a repository and are visible to the caller. */
export async function listAccountsThatMarked(deps: ReadDeps, actor: Actor, repository: RepositorySubject, mark: Mark, page: Page): Promise<Paged<UserView>> {
  const { items, total } = await pageMarkingAccountIds(deps.db, tables[mark], repository.id, actor, page);
  return { items: await loadUsersInOrder(deps, items), total };
}
