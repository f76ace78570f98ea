import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import { allowsScope } from "../../../../access/scopes.ts";
import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, unauthenticated } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { anyone } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { text } from "../../../../wire/schema.ts";
import { faultOf } from "../errors.ts";
import { presentIdentity, presentUserInfo, type UserInfoReach } from "../present.ts";
import { asksFor, identityScopes } from "../scopes.ts";
import { getIdentity, readAccessToken } from "../service/bearer.ts";
import type { Signer } from "../service/signer.ts";
import { authenticateClient, exchange, type TokenDeps } from "../service/tokens.ts";
import { readClient, readFields, readTokenRequest } from "../token-request.ts";

export interface OAuthEndpointDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly urls: Urls;
  readonly signer: Signer;
  readonly config: Pick<Config, "oauth2">;
}

const common = { mount: "root", tag: "oauth2", isUnlisted: true, access: anyone, scope: "none", answers: raw(["application/json"]) } as const;
const realm = 'realm="Hearth OAuth2"';
const maxRequestBytes = 65_536;

/** Tokens and what they say belong in no cache (RFC 6749, 5.1). */
const noStore = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" };
const answer = (status: number, value: unknown): RawReply => ({
  status,
  headers: { "content-type": "application/json;charset=utf-8", ...noStore },
  body: `${JSON.stringify(value)}\n`,
});

/** The same for everybody. @compat without a charset */
const publicAnswer = (value: unknown): RawReply => ({
  status: 200,
  headers: { "content-type": "application/json", "cache-control": "public, max-age=3600" },
  body: `${JSON.stringify(value)}\n`,
});

/** The endpoints that applications call: tokens for codes, what a token stands for, who somebody is, keys and addresses. */
export function oauthEndpoints(deps: OAuthEndpointDeps): Route[] {
  const { urls } = deps;
  const tokenDeps: TokenDeps = { ...deps, presentIdentity: (identity, scopes) => presentIdentity(identity, scopes, urls) };
  return [
    defineRoute({
      ...common,
      id: "oauthToken",
      method: "POST",
      path: "/login/oauth/access_token",
      summary: "Tokens for a code or a refresh token",
      // The header is the application's, and names no account.
      ignoresCredentials: true,
      body: text(),
      bodyLimitBytes: maxRequestBytes,
      handle: async ({ body, headers }) => {
        try {
          return answer(200, await exchange(tokenDeps, readTokenRequest(readFields(body, headers), headers)));
        } catch (error) {
          const fault = faultOf(error);
          if (fault === undefined) throw error;
          return answer(400, fault);
        }
      },
    }),
    defineRoute({
      ...common,
      id: "oauthTokenByGet",
      method: "GET",
      path: "/login/oauth/access_token",
      summary: "Codes are exchanged by POST: an address may be written down on its way",
      ignoresCredentials: true,
      handle: () => ({ status: 405, headers: { allow: "POST" } }),
    }),
    defineRoute({
      ...common,
      id: "oauthIntrospect",
      method: "POST",
      path: "/login/oauth/introspect",
      summary: "What an access token of the calling application stands for",
      ignoresCredentials: true,
      body: text(),
      bodyLimitBytes: maxRequestBytes,
      handle: async ({ body, headers }) => {
        const fields = readFields(body, headers);
        const application = await authenticateClient(tokenDeps, readClient(fields, headers));
        if (application === undefined) throw unauthenticated("no valid authorization", { challenge: `Basic ${realm}` });
        const bearer = await readAccessToken(deps, fields.get("token") ?? "");
        // Others' tokens are none of its business (RFC 7662, 4).
        if (bearer?.applicationId !== application.id || !bearer.maySignIn) return answer(200, { active: false });
        return answer(200, {
          active: true,
          scope: bearer.scopes.join(" "),
          username: bearer.account.name,
          client_id: bearer.clientId,
          token_type: "bearer",
          exp: Math.floor(bearer.expiresMs / 1_000),
          iss: urls.origin,
          sub: String(bearer.account.id),
          aud: [bearer.clientId],
        });
      },
    }),
    ...(["GET", "POST"] as const).map((method) =>
      defineRoute({
        ...common,
        id: method === "GET" ? "oauthUserInfo" : "oauthUserInfoByPost",
        method,
        path: "/login/oauth/userinfo",
        summary: "Who an access token was given by",
        handle: async ({ actor }) => {
          const { actor: user, reach } = requireReach(actor);
          return answer(200, presentUserInfo(await getIdentity(deps, user.id), reach, urls));
        },
      }),
    ),
    defineRoute({
      ...common,
      id: "oauthKeys",
      method: "GET",
      path: "/login/oauth/keys",
      summary: "The public key that id_tokens are checked with",
      ignoresCredentials: true,
      handle: async () => publicAnswer(await deps.signer.jwks()),
    }),
    defineRoute({
      ...common,
      id: "openidConfiguration",
      method: "GET",
      path: "/.well-known/openid-configuration",
      summary: "Where an application finds the endpoints, and what they know",
      ignoresCredentials: true,
      handle: () => publicAnswer(configuration(urls)),
    }),
  ];
}

/** Whoever shows a credential that may tell of its owner; an API token does when it may read his account. */
function requireReach(actor: Actor): { readonly actor: UserActor; readonly reach: UserInfoReach } {
  // A browser's session is no token: a page of another site must not learn from it who is looking.
  if (!isUser(actor) || actor.credential.kind === "session") throw unauthenticated("no valid authorization", { challenge: `Bearer ${realm}` });
  const { scopes, grantedScopes = [] } = actor.credential;
  const mayRead = allowsScope(scopes, "user", "read");
  if (!mayRead && !asksFor(grantedScopes, "openid")) throw forbidden("the token has neither the scope openid nor read:user");
  const mayKnow = (scope: (typeof identityScopes)[number]): boolean => mayRead || asksFor(grantedScopes, scope);
  const groups = asksFor(grantedScopes, "groups") || allowsScope(scopes, "organization", "read");
  return { actor, reach: { profile: mayKnow("profile"), email: mayKnow("email"), groups } };
}

/** OpenID Connect Discovery 1.0, section 3. @compat `id_token` and `plain` are named, though no answer holds the one and public applications may not use the other */
const configuration = ({ origin }: Urls) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/login/oauth/authorize`,
  token_endpoint: `${origin}/login/oauth/access_token`,
  jwks_uri: `${origin}/login/oauth/keys`,
  userinfo_endpoint: `${origin}/login/oauth/userinfo`,
  introspection_endpoint: `${origin}/login/oauth/introspect`,
  response_types_supported: ["code", "id_token"],
  id_token_signing_alg_values_supported: ["RS256"],
  subject_types_supported: ["public"],
  scopes_supported: identityScopes,
  claims_supported: [
    "aud",
    "exp",
    "iat",
    "iss",
    "sub",
    "name",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "locale",
    "updated_at",
    "email",
    "email_verified",
    "groups",
  ],
  code_challenge_methods_supported: ["plain", "S256"],
  grant_types_supported: ["authorization_code", "refresh_token"],
});
