import { type Actor, isSiteAdmin, isUser } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import type { UserView } from "../model.ts";
import { searchUsers as searchRows, type UserSort } from "../store/accounts.ts";

export interface UserQuery {
  readonly text: string;
  readonly id?: number | undefined;
  readonly sort?: string | undefined;
  readonly loginName?: string | undefined;
  readonly sourceId?: number | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isActive?: boolean | undefined;
  readonly isRestricted?: boolean | undefined;
  readonly prohibitLogin?: boolean | undefined;
  readonly visibility?: string | undefined;
  readonly hasSecondFactor?: boolean | undefined;
}

const sorts: readonly UserSort[] = ["alphabetically", "reversealphabetically", "newest", "oldest", "recentupdate", "leastupdate"];

const visibilities = ["public", "limited", "private"] as const;

/** Users that the caller may see. Filters on data that only administrators see apply only to administrators. */
export function searchUsers(deps: { readonly db: Reader }, actor: Actor, query: UserQuery, page: Page): Promise<Paged<UserView>> {
  const isAdmin = isSiteAdmin(actor);
  const chosen = isAdmin ? visibilities.find((one) => one === query.visibility) : undefined;
  return searchRows(
    deps.db,
    {
      text: query.text.trim(),
      ...(query.id !== undefined && query.id > 0 && { ids: [query.id] }),
      visibilities: chosen !== undefined ? [chosen] : isAdmin ? visibilities : isUser(actor) ? ["public", "limited"] : ["public"],
      alwaysId: isUser(actor) && chosen === undefined ? actor.id : undefined,
      searchesEmail: isAdmin,
      sort: sorts.find((sort) => sort === query.sort) ?? "alphabetically",
      ...(isAdmin && {
        ...(query.loginName !== undefined && query.loginName !== "" && { loginName: query.loginName }),
        ...(query.sourceId !== undefined && { sourceId: query.sourceId }),
        ...(query.isAdmin !== undefined && { isAdmin: query.isAdmin }),
        ...(query.isActive !== undefined && { isActive: query.isActive }),
        ...(query.isRestricted !== undefined && { isRestricted: query.isRestricted }),
        ...(query.prohibitLogin !== undefined && { prohibitLogin: query.prohibitLogin }),
        ...(query.hasSecondFactor !== undefined && { hasSecondFactor: query.hasSecondFactor }),
      }),
    },
    page,
  );
}
