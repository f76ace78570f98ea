import type { UserActor } from "../../../../access/actor.ts";
import { readId } from "../../../../core/ids.ts";
import type { Paged } from "../../../../core/paging.ts";
import { formatTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import { signedIn, siteAdmin } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { DeletedRepository, RestoreRepositoryOption } from "../../../../wire/deleted-repository.ts";
import { Repository } from "../../../../wire/repository.ts";
import type { DeletedRepositoryView } from "../model.ts";
import { presentRepository } from "../present.ts";
import { getRepository } from "../service/loaders.ts";
import {
  type DeletedDeps,
  listDeletedRepositories,
  listOwnDeleted,
  purgeDeletedRepository,
  restoreOwnRepository,
  restoreRepository,
} from "../service/restore.ts";

export interface DeletedApiDeps extends DeletedDeps {
  readonly urls: Urls;
}

/** Common declarations of the restore routes. */
const restoring = {
  body: RestoreRepositoryOption,
  answers: json(200, Repository),
  refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 422: "validationError" },
} as const;

/** Routes for deleted repositories that can still be restored, for owners and administrators. */
export function deletedRepositoryRoutes(deps: DeletedApiDeps): Route[] {
  const restoredBy = async (restore: typeof restoreRepository, actor: UserActor, given: string, name: string): Promise<Repository> => {
    const id = readId(given);
    await restore(deps, actor, id, name);
    return presentRepository(await getRepository(deps, actor, id), actor, deps.urls);
  };
  return [
    defineRoute({
      id: "userListDeletedRepositories",
      method: "GET",
      path: "/user/repos/deleted",
      tag: "user",
      summary: "List deleted repositories that the caller can restore, most recently deleted first",
      access: signedIn,
      scope: ["user", "repository"],
      refusesPublicOnly: true,
      answers: list(DeletedRepository, "total"),
      refusals: { 403: "forbidden" },
      handle: async ({ actor, page }) => presentAll(await listOwnDeleted(deps, actor, page)),
    }),
    defineRoute({
      id: "userRestoreRepository",
      method: "POST",
      path: "/user/repos/deleted/{id}/restore",
      tag: "user",
      summary: "Restore a repository that one of its owners has deleted",
      access: signedIn,
      scope: ["user", "repository"],
      refusesPublicOnly: true,
      ...restoring,
      handle: ({ actor, params, body }) => restoredBy(restoreOwnRepository, actor, params.id, body.name),
    }),
    defineRoute({
      id: "adminListDeletedRepositories",
      method: "GET",
      path: "/admin/repos/deleted",
      tag: "admin",
      summary: "List deleted repositories that can be restored, most recently deleted first",
      access: siteAdmin,
      scope: "admin",
      answers: list(DeletedRepository, "total"),
      refusals: { 403: "forbidden" },
      handle: async ({ page }) => presentAll(await listDeletedRepositories(deps, page)),
    }),
    defineRoute({
      id: "adminRestoreRepository",
      method: "POST",
      path: "/admin/repos/deleted/{id}/restore",
      tag: "admin",
      summary: "Restore a deleted repository",
      access: siteAdmin,
      scope: "admin",
      ...restoring,
      handle: ({ actor, params, body }) => restoredBy(restoreRepository, actor, params.id, body.name),
    }),
    defineRoute({
      id: "adminPurgeRepository",
      method: "DELETE",
      path: "/admin/repos/deleted/{id}",
      tag: "admin",
      summary: "Permanently delete a deleted repository",
      access: siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, params }) => purgeDeletedRepository(deps, actor, readId(params.id)),
    }),
  ];
}

const presentAll = ({ items, total }: Paged<DeletedRepositoryView>): Paged<DeletedRepository> => ({ items: items.map(presentDeleted), total });

const presentDeleted = (view: DeletedRepositoryView): DeletedRepository => ({
  id: view.id,
  owner: view.ownerName,
  name: view.name,
  full_name: `${view.ownerName}/${view.name}`,
  private: view.isPrivate,
  size: Math.ceil(view.sizeBytes / 1024),
  deleted_at: formatTime(view.deletedMs),
  kept_until: formatTime(view.keptUntilMs),
});
