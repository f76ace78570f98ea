import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateOAuth2ApplicationOptions, OAuth2Application, OAuth2Grant } from "../../../../wire/oauth2.ts";
import type { ApplicationInput } from "../model.ts";
import { presentApplication, presentGrant } from "../present.ts";
import { createApplication, editApplication, getApplication, listApplications, removeApplication, renewSecret } from "../service/applications.ts";
import { listGrants, revokeGrant } from "../service/grants.ts";

export interface ApplicationApiDeps {
  readonly db: Db;
}

const common = { tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;

/** The caller's own applications, and the grants that the caller has given to applications. */
export const applicationRoutes = (deps: ApplicationApiDeps): Route[] => [
  defineRoute({
    ...common,
    id: "userGetOauth2Application",
    method: "GET",
    path: "/user/applications/oauth2",
    summary: "List the OAuth2 applications of the authenticated user",
    answers: list(OAuth2Application, "total"),
    handle: async ({ actor, page }) => {
      const { items, total } = await listApplications(deps, actor, page);
      return { total, items: items.map((application) => presentApplication(application)) };
    },
  }),
  defineRoute({
    ...common,
    id: "userCreateOAuth2Application",
    method: "POST",
    path: "/user/applications/oauth2",
    summary: "Create an OAuth2 application",
    body: CreateOAuth2ApplicationOptions,
    answers: json(201, OAuth2Application),
    refusals: { 400: "error" },
    handle: async ({ actor, body }) => {
      const { application, secret } = await createApplication(deps, actor, actor, readInput(body));
      return presentApplication(application, secret);
    },
  }),
  defineRoute({
    ...common,
    id: "userGetOAuth2Application",
    method: "GET",
    path: "/user/applications/oauth2/{id}",
    summary: "Get one of the caller's OAuth2 applications",
    answers: json(200, OAuth2Application),
    refusals: { 404: "notFound" },
    handle: async ({ actor, params }) => presentApplication(await getApplication(deps, actor, readId(params.id))),
  }),
  defineRoute({
    ...common,
    id: "userUpdateOAuth2Application",
    method: "PATCH",
    path: "/user/applications/oauth2/{id}",
    summary: "Edit an OAuth2 application; its secret is left unchanged",
    body: CreateOAuth2ApplicationOptions,
    answers: json(200, OAuth2Application),
    refusals: { 400: "error", 404: "notFound" },
    handle: async ({ actor, params, body }) => presentApplication(await editApplication(deps, actor, { owner: actor, id: readId(params.id) }, readInput(body))),
  }),
  defineRoute({
    ...common,
    id: "userRenewOAuth2ApplicationSecret",
    method: "POST",
    path: "/user/applications/oauth2/{id}/secret",
    summary: "Replace the secret of an OAuth2 application; the previous one stops working",
    answers: json(201, OAuth2Application),
    refusals: { 404: "notFound" },
    handle: async ({ actor, params }) => {
      const { application, secret } = await renewSecret(deps, actor, { owner: actor, id: readId(params.id) });
      return presentApplication(application, secret);
    },
  }),
  defineRoute({
    ...common,
    id: "userDeleteOAuth2Application",
    method: "DELETE",
    path: "/user/applications/oauth2/{id}",
    summary: "Delete an OAuth2 application and all of its grants",
    answers: empty(),
    refusals: { 404: "notFound" },
    handle: ({ actor, params }) => removeApplication(deps, actor, { owner: actor, id: readId(params.id) }),
  }),
  defineRoute({
    ...common,
    id: "userListOAuth2Grants",
    method: "GET",
    path: "/user/applications/grants",
    summary: "List the OAuth2 applications that the caller has authorized",
    answers: list(OAuth2Grant, "links"),
    handle: async ({ actor, page }) => {
      const { items, total } = await listGrants(deps, actor, page);
      return { total, items: items.map(presentGrant) };
    },
  }),
  defineRoute({
    ...common,
    id: "userDeleteOAuth2Grant",
    method: "DELETE",
    path: "/user/applications/grants/{id}",
    summary: "Revoke an OAuth2 application's grant; its tokens stop working at once",
    answers: empty(),
    refusals: { 404: "notFound" },
    handle: ({ actor, params }) => revokeGrant(deps, actor, readId(params.id)),
  }),
];

const readInput = (body: CreateOAuth2ApplicationOptions): ApplicationInput => ({
  name: body.name,
  isConfidential: body.confidential_client,
  skipsConsent: body.skip_secondary_authorization,
  redirectUris: body.redirect_uris ?? [],
});
