import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import { empty, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { LinkedIdentity } from "../../../../wire/source.ts";
import { presentIdentity } from "../present.ts";
import { listIdentities, unlinkIdentity } from "../service/identities.ts";

/** The caller's identities at OpenID Connect providers. Beyond the contract. */
export const identityRoutes = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    id: "userListIdentities",
    method: "GET",
    path: "/user/identities",
    tag: "user",
    summary: "The external identities with which the caller can sign in",
    access: signedIn,
    scope: "user",
    refusesPublicOnly: true,
    answers: list(LinkedIdentity, "links"),
    handle: async ({ actor, page }) => {
      const { total, items } = await listIdentities(deps, actor, page);
      return { total, items: items.map(presentIdentity) };
    },
  }),
  defineRoute({
    id: "userDeleteIdentity",
    method: "DELETE",
    path: "/user/identities/{id}",
    tag: "user",
    summary: "Unlink an external identity of the caller",
    access: signedIn,
    scope: "user",
    answers: empty(),
    refusals: { 404: "notFound", 422: "validationError" },
    handle: ({ actor, params }) => unlinkIdentity(deps, actor, readId(params.id)),
  }),
];
