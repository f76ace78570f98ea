import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { account, anyone, signedIn } from "../../../../http/access.ts";
import { empty, json, list, raw } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateKeyOption, PublicKey } from "../../../../wire/key.ts";
import { requireUserAccount } from "../../users/service/accounts.ts";
import { presentPublicKey } from "../present.ts";
import { addUserKey, getUserKey, keyFile, listUserKeys, removeOwnKey, removeUserKey } from "../service/user-keys.ts";

export interface UserKeyApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

const byFingerprint = { fingerprint: query.text("Only the key with this fingerprint") };

/** SSH keys of users, which authenticate them. */
export function userKeyRoutes(deps: UserKeyApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userCurrentListKeys",
      method: "GET",
      path: "/user/keys",
      tag: "user",
      summary: "List the public keys of the authenticated user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      query: byFingerprint,
      answers: list(PublicKey, "links"),
      handle: async ({ actor, query, page }) => {
        const { items, total } = await listUserKeys(deps, actor, actor.id, query.fingerprint, page);
        return { total, items: items.map((key) => presentPublicKey(key, actor, urls)) };
      },
    }),
    defineRoute({
      id: "userCurrentPostKey",
      method: "POST",
      path: "/user/keys",
      tag: "user",
      summary: "Add a public key for the caller",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: CreateKeyOption,
      answers: json(201, PublicKey),
      refusals: { 422: "validationError" },
      handle: async ({ actor, body }) => presentPublicKey(await addUserKey(deps, actor, actor, body), actor, urls),
    }),
    defineRoute({
      id: "userCurrentGetKey",
      method: "GET",
      path: "/user/keys/{id}",
      tag: "user",
      summary: "Get a public key",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: json(200, PublicKey),
      refusals: { 404: "notFound" },
      handle: async ({ actor, params }) => presentPublicKey(await getUserKey(deps, actor, readId(params.id)), actor, urls),
    }),
    defineRoute({
      id: "userCurrentDeleteKey",
      method: "DELETE",
      path: "/user/keys/{id}",
      tag: "user",
      summary: "Delete one of the caller's public keys",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, params }) => removeOwnKey(deps, actor, readId(params.id)),
    }),
    defineRoute({
      id: "userListKeys",
      method: "GET",
      path: "/users/{username}/keys",
      tag: "user",
      summary: "List the public keys of a user",
      access: account.signedInFirst,
      scope: "user",
      query: byFingerprint,
      answers: list(PublicKey, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, query, page }) => {
        const { items, total } = await listUserKeys(deps, actor, account.id, query.fingerprint, page);
        return { total, items: items.map((key) => presentPublicKey(key, actor, urls)) };
      },
    }),
    defineRoute({
      id: "adminCreatePublicKey",
      method: "POST",
      path: "/admin/users/{username}/keys",
      tag: "admin",
      summary: "Add a public key for a user",
      access: account.siteAdmin,
      scope: "admin",
      body: CreateKeyOption,
      answers: json(201, PublicKey),
      refusals: { 403: "forbidden", 422: "validationError" },
      handle: async ({ actor, account, body }) => presentPublicKey(await addUserKey(deps, actor, requireUserAccount(account), body), actor, urls),
    }),
    defineRoute({
      id: "adminDeleteUserPublicKey",
      method: "DELETE",
      path: "/admin/users/{username}/keys/{id}",
      tag: "admin",
      summary: "Delete one of a user's public keys",
      access: account.siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, account, params }) => removeUserKey(deps, actor, account, readId(params.id)),
    }),
    defineRoute({
      id: "userKeyFile",
      method: "GET",
      mount: "root",
      path: "/{username}.keys",
      tag: "user",
      summary: "Get the public keys of a user in the authorized_keys format",
      isUnlisted: true,
      access: anyone,
      scope: "user",
      answers: raw(["text/plain"]),
      handle: async ({ actor, params }) => {
        const file = await keyFile(deps, actor, params.username);
        if ("movedTo" in file) return { status: 307, headers: { location: urls.web(`${file.movedTo}.keys`) } };
        return { status: 200, headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" }, body: file.text };
      },
    }),
  ];
}
