import type { Db } from "../../../../db/db.ts";
import { account } from "../../../../http/access.ts";
import { empty } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { deleteUser, purgeUser } from "../service/delete-user.ts";

/** Deletion of accounts with their possessions. */
export function adminUserRoutes(deps: { readonly db: Db }): Route[] {
  return [
    defineRoute({
      id: "adminDeleteUser",
      method: "DELETE",
      path: "/admin/users/{username}",
      tag: "admin",
      summary: "Delete a user",
      access: account.siteAdmin,
      scope: "admin",
      query: { purge: query.bool("Also delete everything that the user owns, and organizations of which they are the only owner") },
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: ({ actor, account, query }) => (query.purge === true ? purgeUser(deps, actor, account) : deleteUser(deps, actor, account)),
    }),
  ];
}
