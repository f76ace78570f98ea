import type { Urls } from "../../../../core/urls.ts";
import { account, signedIn } from "../../../../http/access.ts";
import { empty, json } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { ConfirmTwoFactorOption, RecoveryCodes, TwoFactor, TwoFactorSecret } from "../../../../wire/two-factor.ts";
import { presentTwoFactor } from "../present.ts";
import {
  beginTwoFactor,
  confirmTwoFactor,
  getTwoFactor,
  removeOwnTwoFactor,
  removeTwoFactorOf,
  renewRecoveryCodes,
  type TwoFactorDeps,
} from "../service/two-factor.ts";

export interface TwoFactorApiDeps extends TwoFactorDeps {
  readonly urls: Urls;
}

/** Two-factor authentication. Beyond the contract, which leaves it to pages. */
export function twoFactorRoutes(deps: TwoFactorApiDeps): readonly Route[] {
  const own = { tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
  return [
    defineRoute({
      ...own,
      id: "userGetTwoFactor",
      method: "GET",
      path: "/user/two_factor",
      summary: "Check whether the caller's password requires a code",
      answers: json(200, TwoFactor),
      handle: async ({ actor }) => presentTwoFactor(await getTwoFactor(deps, actor)),
    }),
    defineRoute({
      ...own,
      id: "userBeginTwoFactor",
      method: "POST",
      path: "/user/two_factor",
      summary: "Create a secret for an authenticator app, effective once it is confirmed",
      answers: json(201, TwoFactorSecret),
      refusals: { 403: "forbidden", 409: "error" },
      handle: ({ actor }) => beginTwoFactor(deps, actor),
    }),
    defineRoute({
      ...own,
      id: "userConfirmTwoFactor",
      method: "POST",
      path: "/user/two_factor/confirm",
      summary: "Confirm the app's first code; from now on the password requires one",
      body: ConfirmTwoFactorOption,
      answers: json(201, RecoveryCodes),
      refusals: { 403: "forbidden", 409: "error", 422: "validationError" },
      handle: async ({ actor, body }) => ({ recovery_codes: await confirmTwoFactor(deps, actor, body.code) }),
    }),
    defineRoute({
      ...own,
      id: "userRenewRecoveryCodes",
      method: "POST",
      path: "/user/two_factor/recovery_codes",
      summary: "Replace the recovery codes",
      answers: json(201, RecoveryCodes),
      refusals: { 403: "forbidden", 409: "error" },
      handle: async ({ actor }) => ({ recovery_codes: await renewRecoveryCodes(deps, actor) }),
    }),
    defineRoute({
      ...own,
      id: "userDeleteTwoFactor",
      method: "DELETE",
      path: "/user/two_factor",
      summary: "Disable two-factor authentication",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor }) => removeOwnTwoFactor(deps, actor),
    }),
    defineRoute({
      id: "adminDeleteTwoFactor",
      method: "DELETE",
      path: "/admin/users/{username}/two_factor",
      tag: "admin",
      summary: "Turn off two-factor authentication of a user",
      access: account.siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, account }) => removeTwoFactorOf(deps, actor, account),
    }),
  ];
}
