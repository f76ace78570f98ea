import type { Db } from "../../../../db/db.ts";
import { account } from "../../../../http/access.ts";
import { empty, envelope } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Badge, UserBadgeOption } from "../../../../wire/admin.ts";
import { list as listOf } from "../../../../wire/schema.ts";
import { presentBadge } from "../present.ts";
import { changeUserBadges, listUserBadges } from "../service/badges.ts";

/** Badges of users. */
export function badgeRoutes(deps: { readonly db: Db }): Route[] {
  return [
    defineRoute({
      id: "adminListUserBadges",
      method: "GET",
      path: "/admin/users/{username}/badges",
      tag: "admin",
      summary: "List the badges of a user",
      access: account.siteAdmin,
      scope: "admin",
      // @compat Gitea does not page this list but sends its total (admin/api/badges.test.ts)
      answers: envelope(listOf(Badge), "own"),
      refusals: { 404: "notFound" },
      handle: async ({ account }) => {
        const badges = await listUserBadges(deps, account);
        return { total: badges.length, body: badges.map(presentBadge) };
      },
    }),
    defineRoute({
      id: "adminAddUserBadges",
      method: "POST",
      path: "/admin/users/{username}/badges",
      tag: "admin",
      summary: "Add badges to a user",
      access: account.siteAdmin,
      scope: "admin",
      body: UserBadgeOption,
      answers: empty(),
      refusals: { 403: "forbidden" },
      handle: ({ actor, account, body }) => changeUserBadges(deps, actor, account, "give", body.badge_slugs ?? []),
    }),
    defineRoute({
      id: "adminDeleteUserBadges",
      method: "DELETE",
      path: "/admin/users/{username}/badges",
      tag: "admin",
      summary: "Remove badges from a user",
      access: account.siteAdmin,
      scope: "admin",
      body: UserBadgeOption,
      answers: empty(),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: ({ actor, account, body }) => changeUserBadges(deps, actor, account, "take", body.badge_slugs ?? []),
    }),
  ];
}
