import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import { account, anyone, signedIn } from "../../../../http/access.ts";
import { empty, json, list, raw } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateGPGKeyOption, GPGKey, VerifyGPGKeyOption } from "../../../../wire/gpg-key.ts";
import { text } from "../../../../wire/schema.ts";
import { presentGpgKey } from "../present.ts";
import { addGpgKey, type GpgKeyDeps, getGpgKey, gpgChallenge, gpgKeyFile, listGpgKeys, removeGpgKey, verifyGpgKey } from "../service/gpg-keys.ts";

export interface GpgKeyApiDeps extends GpgKeyDeps {
  readonly urls: Urls;
}

const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

/** OpenPGP keys, which sign commits and tags. */
export function gpgKeyRoutes(deps: GpgKeyApiDeps): Route[] {
  return [
    defineRoute({
      id: "userCurrentListGPGKeys",
      method: "GET",
      path: "/user/gpg_keys",
      tag: "user",
      summary: "List the OpenPGP keys of the authenticated user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: list(GPGKey, "links"),
      handle: async ({ actor, page }) => {
        const { items, total } = await listGpgKeys(deps, actor, actor, page);
        return { total, items: items.map(presentGpgKey) };
      },
    }),
    defineRoute({
      id: "userCurrentPostGPGKey",
      method: "POST",
      path: "/user/gpg_keys",
      tag: "user",
      summary: "Add an OpenPGP key for the caller",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: CreateGPGKeyOption,
      answers: json(201, GPGKey),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, body }) =>
        presentGpgKey(await addGpgKey(deps, actor, { armoredKey: body.armored_public_key, armoredSignature: body.armored_signature ?? "" })),
    }),
    defineRoute({
      id: "userCurrentGetGPGKey",
      method: "GET",
      path: "/user/gpg_keys/{id}",
      tag: "user",
      summary: "Get an OpenPGP key of the authenticated user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: json(200, GPGKey),
      refusals: { 404: "notFound" },
      handle: async ({ actor, params }) => presentGpgKey(await getGpgKey(deps, actor, readId(params.id))),
    }),
    defineRoute({
      id: "userCurrentDeleteGPGKey",
      method: "DELETE",
      path: "/user/gpg_keys/{id}",
      tag: "user",
      summary: "Delete one of the caller's OpenPGP keys",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, params }) => removeGpgKey(deps, actor, readId(params.id)),
    }),
    defineRoute({
      id: "getVerificationToken",
      method: "GET",
      path: "/user/gpg_key_token",
      tag: "user",
      summary: "A token to sign as proof that a key is the caller's",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: raw(["text/plain"], 200, text()),
      refusals: { 404: "notFound" },
      handle: ({ actor }) => ({ status: 200, headers: plain, body: gpgChallenge(deps, actor) }),
    }),
    defineRoute({
      id: "userVerifyGPGKey",
      method: "POST",
      path: "/user/gpg_key_verify",
      tag: "user",
      summary: "Verify one of the caller's OpenPGP keys",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      body: VerifyGPGKeyOption,
      answers: json(201, GPGKey),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, body }) => presentGpgKey(await verifyGpgKey(deps, actor, body.key_id, body.armored_signature)),
    }),
    defineRoute({
      id: "userListGPGKeys",
      method: "GET",
      path: "/users/{username}/gpg_keys",
      tag: "user",
      summary: "List the OpenPGP keys of a user",
      access: account.signedInFirst,
      scope: "user",
      answers: list(GPGKey, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, page }) => {
        const { items, total } = await listGpgKeys(deps, actor, account, page);
        return { total, items: items.map(presentGpgKey) };
      },
    }),
    defineRoute({
      id: "userGpgKeyFile",
      method: "GET",
      mount: "root",
      path: "/{username}.gpg",
      tag: "user",
      summary: "Get the OpenPGP keys of a user, armored",
      isUnlisted: true,
      access: anyone,
      scope: "user",
      answers: raw(["text/plain"]),
      handle: async ({ actor, params }) => {
        const file = await gpgKeyFile(deps, actor, params.username);
        if ("movedTo" in file) return { status: 307, headers: { location: deps.urls.web(`${file.movedTo}.gpg`) } };
        return { status: 200, headers: plain, body: file.text };
      },
    }),
  ];
}
