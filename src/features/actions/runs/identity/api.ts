import { isForgeError } from "../../../../core/errors.ts";
import { anyone } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { textError } from "../../../../http/errors.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { headerOf } from "../api/runner-request.ts";
import { identityJwks } from "./service/keys.ts";
import { taskOfRequestToken } from "./service/request-token.ts";
import { type IdentityDeps, identityClaims, identityToken, issuerOf } from "./service/tokens.ts";

const common = {
  method: "GET",
  mount: "root",
  tag: "miscellaneous",
  isUnlisted: true,
  access: anyone,
  scope: "none",
  ignoresCredentials: true,
  answers: raw(["application/json"]),
} as const;

const reply = (body: object, cacheControl: string): RawReply => ({
  status: 200,
  headers: { "content-type": "application/json", "cache-control": cacheControl },
  body: JSON.stringify(body),
});
const publicReply = (body: object): RawReply => reply(body, "public, max-age=3600");

/** Identity tokens of jobs, and what verifies them (OpenID Connect Discovery 1.0). */
export const identityRoutes = (deps: IdentityDeps): Route[] => [
  defineRoute({
    ...common,
    id: "actionsIdentityToken",
    path: "/api/actions/oidc/token",
    summary: "Get an identity token for a running job",
    query: { audience: query.text("The service that the token is for") },
    handle: async ({ headers, query: { audience } }) => {
      try {
        const task = await taskOfRequestToken(deps, headerOf(headers, "authorization"));
        return reply({ value: await identityToken(deps, task, audience) }, "no-store");
      } catch (error) {
        if (!isForgeError(error)) throw error;
        const { status } = textError(error);
        return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ message: error.message }) };
      }
    },
  }),
  defineRoute({
    ...common,
    id: "actionsIdentityKeys",
    path: "/api/actions/oidc/.well-known/jwks",
    summary: "The keys that verify identity tokens of jobs",
    handle: async () => publicReply(await identityJwks(deps)),
  }),
  defineRoute({
    ...common,
    id: "actionsIdentityConfiguration",
    path: "/api/actions/oidc/.well-known/openid-configuration",
    summary: "The issuer of identity tokens of jobs, and its capabilities",
    handle: () => {
      const issuer = issuerOf(deps.urls);
      return publicReply({
        issuer,
        jwks_uri: `${issuer}/.well-known/jwks`,
        subject_types_supported: ["public"],
        response_types_supported: ["id_token"],
        scopes_supported: ["openid"],
        id_token_signing_alg_values_supported: ["RS256"],
        claims_supported: [
          "sub",
          "aud",
          "exp",
          "iat",
          "iss",
          "jti",
          "nbf",
          ...identityClaims,
          "repository_visibility",
          "runner_environment",
          "job_workflow_ref",
          "job_workflow_sha",
        ],
      });
    },
  }),
];
