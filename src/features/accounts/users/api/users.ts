import { invalid } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import { account, anyone, signedIn, siteAdmin } from "../../../../http/access.ts";
import { empty, envelope, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { AccessToken, CreateAccessTokenOption } from "../../../../wire/token.ts";
import {
  CreateUserOption,
  EditUserOption,
  MailSettings,
  MailSettingsOption,
  RenameUserOption,
  User,
  UserSearchResults,
  UserSettings,
  UserSettingsOptions,
} from "../../../../wire/user.ts";
import { presentMailSettings, presentToken, presentUser, presentUserSettings } from "../present.ts";
import { type AccountDeps, createUser, editUser, getUser, renameUser } from "../service/accounts.ts";
import { searchUsers } from "../service/search.ts";
import { editSettings, getSettings } from "../service/settings.ts";
import { createToken, listTokens, removeToken, type TokenDeps } from "../service/tokens.ts";
import { readMailSettings, readSettings, readToken, readUser, readUserChanges } from "./input.ts";

export interface UserApiDeps extends AccountDeps, TokenDeps {
  readonly urls: Urls;
}

export function userRoutes(deps: UserApiDeps): readonly Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userGetCurrent",
      method: "GET",
      path: "/user",
      tag: "user",
      summary: "Get the authenticated user",
      access: signedIn,
      scope: "user",
      answers: json(200, User),
      handle: async ({ actor }) => presentUser(await getUser(deps, actor.id), actor, urls),
    }),
    defineRoute({
      id: "getUserSettings",
      method: "GET",
      path: "/user/settings",
      tag: "user",
      summary: "Get the settings of the authenticated user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: json(200, UserSettings),
      handle: async ({ actor }) => presentUserSettings(await getSettings(deps, actor)),
    }),
    defineRoute({
      id: "updateUserSettings",
      method: "PATCH",
      path: "/user/settings",
      tag: "user",
      summary: "Update the settings of the authenticated user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: UserSettingsOptions,
      answers: json(200, UserSettings),
      handle: async ({ actor, body }) => presentUserSettings(await editSettings(deps, actor, readSettings(body))),
    }),
    defineRoute({
      id: "userGetMailSettings",
      method: "GET",
      path: "/user/settings/mail",
      tag: "user",
      summary: "Get the caller's email preferences",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: json(200, MailSettings),
      handle: async ({ actor }) => presentMailSettings(await getSettings(deps, actor)),
    }),
    defineRoute({
      id: "userUpdateMailSettings",
      method: "PATCH",
      path: "/user/settings/mail",
      tag: "user",
      summary: "Change the caller's email preferences",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: MailSettingsOption,
      answers: json(200, MailSettings),
      refusals: { 422: "validationError" },
      handle: async ({ actor, body }) => presentMailSettings(await editSettings(deps, actor, readMailSettings(body))),
    }),
    defineRoute({
      id: "userSearch",
      method: "GET",
      path: "/users/search",
      tag: "user",
      summary: "Search users",
      access: anyone,
      scope: "user",
      query: { q: query.text("Part of a name"), uid: query.integer("Only the user with this id"), sort: query.text("Order of the list") },
      answers: envelope(UserSearchResults, "links"),
      handle: async ({ actor, query, page }) => {
        const found = await searchUsers(deps, actor, { text: query.q ?? "", id: query.uid, sort: query.sort }, page);
        return { total: found.total, body: { data: found.items.map((user) => presentUser(user, actor, urls)), ok: true } };
      },
    }),
    defineRoute({
      id: "userGet",
      method: "GET",
      path: "/users/{username}",
      tag: "user",
      summary: "Get a user",
      access: account.visible,
      scope: "user",
      answers: json(200, User),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account }) => presentUser(await getUser(deps, account.id), actor, urls),
    }),
    ...tokenRoutes(deps),
    ...adminRoutes(deps),
  ];
}

function tokenRoutes(deps: UserApiDeps): Route[] {
  return [
    defineRoute({
      id: "userGetTokens",
      method: "GET",
      path: "/users/{username}/tokens",
      tag: "user",
      summary: "List the access tokens of a user",
      access: account.selfOrAdmin,
      scope: "user",
      answers: list(AccessToken, "total"),
      refusals: { 403: "forbidden" },
      handle: async ({ actor, account, page }) => {
        const tokens = await listTokens(deps, actor, account, page);
        return { total: tokens.total, items: tokens.items.map((token) => presentToken(token)) };
      },
    }),
    defineRoute({
      id: "userCreateToken",
      method: "POST",
      path: "/users/{username}/tokens",
      tag: "user",
      summary: "Create an access token",
      access: account.selfOrAdmin,
      scope: "user",
      body: CreateAccessTokenOption,
      answers: json(201, AccessToken),
      refusals: { 400: "error", 403: "forbidden" },
      handle: async ({ actor, account, body }) => {
        const { token, text } = await createToken(deps, actor, account, readToken(body));
        return presentToken(token, text);
      },
    }),
    defineRoute({
      id: "userDeleteAccessToken",
      method: "DELETE",
      path: "/users/{username}/tokens/{token}",
      tag: "user",
      summary: "Delete an access token by id or name",
      access: account.selfOrAdmin,
      scope: "user",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 422: "error" },
      handle: ({ actor, account, params }) => removeToken(deps, actor, account, params.token),
    }),
  ];
}

/** Orders of the list of administrators. */
const adminSorts: Readonly<Record<string, string>> = {
  "name asc": "alphabetically",
  "name desc": "reversealphabetically",
  "created asc": "oldest",
  "created desc": "newest",
  "id asc": "oldest",
  "id desc": "newest",
  "updated asc": "leastupdate",
  "updated desc": "recentupdate",
};

function readSort(sort = "", order = ""): string {
  if (sort === "") return "";
  if (!["", "asc", "desc"].includes(order)) throw invalid(`Invalid sort order: "${order}"`);
  const found = adminSorts[`${sort} ${order || "asc"}`];
  if (found === undefined) throw invalid(`Invalid sort mode: "${sort}"`);
  return found;
}

function readVisibilityFilter(visibility = ""): string {
  if (!["", "public", "limited", "private"].includes(visibility)) throw invalid(`Invalid visibility: "${visibility}"`);
  return visibility;
}

function adminRoutes(deps: UserApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "adminSearchUsers",
      method: "GET",
      path: "/admin/users",
      tag: "admin",
      summary: "Search users by properties that administrators see",
      access: siteAdmin,
      scope: "admin",
      query: {
        source_id: query.integer("Only users of this sign-in source"),
        login_name: query.text("Only users with this login name"),
        q: query.text("Part of a name or e-mail address"),
        sort: query.text("Order of the list"),
        order: query.text("Direction of the order", ["asc", "desc"]),
        visibility: query.text("Only users with this visibility"),
        is_active: query.bool("Filter by active accounts"),
        is_admin: query.bool("Filter by administrators"),
        is_restricted: query.bool("Filter by restricted users"),
        is_2fa_enabled: query.bool("Filter by two-factor authentication"),
        is_prohibit_login: query.bool("Filter by users who are prohibited from signing in"),
      },
      answers: list(User, "links"),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, query, page }) => {
        const found = await searchUsers(
          deps,
          actor,
          {
            text: query.q ?? "",
            sort: readSort(query.sort, query.order),
            visibility: readVisibilityFilter(query.visibility),
            prohibitLogin: query.is_prohibit_login,
            loginName: query.login_name,
            sourceId: query.source_id,
            isActive: query.is_active,
            isAdmin: query.is_admin,
            isRestricted: query.is_restricted,
            hasSecondFactor: query.is_2fa_enabled,
          },
          page,
        );
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "adminCreateUser",
      method: "POST",
      path: "/admin/users",
      tag: "admin",
      summary: "Create a user",
      access: siteAdmin,
      scope: "admin",
      body: CreateUserOption,
      answers: json(201, User),
      refusals: { 400: "error", 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, body }) => presentUser(await createUser(deps, actor, readUser(body)), actor, urls),
    }),
    defineRoute({
      id: "adminEditUser",
      method: "PATCH",
      path: "/admin/users/{username}",
      tag: "admin",
      summary: "Edit a user",
      access: account.siteAdmin,
      scope: "admin",
      body: EditUserOption,
      answers: json(200, User),
      refusals: { 400: "error", 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, account, body }) => presentUser(await editUser(deps, actor, account, readUserChanges(body)), actor, urls),
    }),
    defineRoute({
      id: "adminRenameUser",
      method: "POST",
      path: "/admin/users/{username}/rename",
      tag: "admin",
      summary: "Rename a user",
      access: account.siteAdmin,
      scope: "admin",
      body: RenameUserOption,
      answers: empty(),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: ({ actor, account, body }) => renameUser(deps, actor, account, body.new_username),
    }),
  ];
}
