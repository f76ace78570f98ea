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
import { maySignIn } from "../../users/actor-account.ts";
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
/** Well above the limit of each field, so that a field that is too long is refused in the error form of OAuth2. */
const maxRequestBytes = 262_144;

/** Tokens and their data must not be cached (RFC 6749, 5.1). */
const noStore = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" };
const answer = (status: number, value: unknown): RawReply => ({
  status,
  headers: { "content-type": "application/json;charset=utf-8", ...noStore },
  body: `${JSON.stringify(value)}\n`,
});

/** Answers an OAuth2 error in the form of RFC 6749 (5.2); other errors are thrown. */
async function withFaults(respond: () => Promise<RawReply>): Promise<RawReply> {
  try {
    return await respond();
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return answer(400, fault);
  }
}

/** Identical for every caller. @compat Gitea sends no charset (oauth2/oauth2.test.ts) */
const publicAnswer = (value: unknown): RawReply => ({
  status: 200,
  headers: { "content-type": "application/json", "cache-control": "public, max-age=3600" },
  body: `${JSON.stringify(value)}\n`,
});

/** The endpoints that applications call: token, introspection, userinfo, keys and discovery. */
export function oauthEndpoints(deps: OAuthEndpointDeps): Route[] {
  const { urls } = deps;
  const tokenDeps: TokenDeps = { ...deps, presentIdentity: (identity, scopes) => presentIdentity(identity, scopes, urls) };
  return [
    defineRoute({
      ...common,
      id: "oauthToken",
      method: "POST",
      path: "/login/oauth/access_token",
      summary: "Exchange a code or a refresh token for tokens",
      // The header authenticates the application, not an account.
      ignoresCredentials: true,
      body: text(),
      bodyLimitBytes: maxRequestBytes,
      handle: ({ body, headers }) => withFaults(async () => answer(200, await exchange(tokenDeps, readTokenRequest(readFields(body, headers), headers)))),
    }),
    defineRoute({
      ...common,
      id: "oauthTokenByGet",
      method: "GET",
      path: "/login/oauth/access_token",
      summary: "Exchange codes by POST: URLs may be logged on the way",
      ignoresCredentials: true,
      handle: () => ({ status: 405, headers: { allow: "POST" } }),
    }),
    defineRoute({
      ...common,
      id: "oauthIntrospect",
      method: "POST",
      path: "/login/oauth/introspect",
      summary: "Introspect an access token of the calling application",
      ignoresCredentials: true,
      body: text(),
      bodyLimitBytes: maxRequestBytes,
      handle: ({ body, headers }) =>
        withFaults(async () => {
          const fields = readFields(body, headers);
          const application = await authenticateClient(tokenDeps, readClient(fields, headers));
          if (application === undefined) throw unauthenticated("no valid authorization", { challenge: `Basic ${realm}` });
          const bearer = await readAccessToken(deps, fields.get("token") ?? "");
          // Tokens of other applications are reported as inactive (RFC 7662, 4).
          if (bearer?.applicationId !== application.id || !maySignIn(bearer.account)) return answer(200, { active: false });
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
        }),
    }),
    ...(["GET", "POST"] as const).map((method) =>
      defineRoute({
        ...common,
        id: method === "GET" ? "oauthUserInfo" : "oauthUserInfoByPost",
        method,
        path: "/login/oauth/userinfo",
        summary: "Get the owner of an access token",
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
      summary: "The public key that verifies id_tokens",
      ignoresCredentials: true,
      handle: async () => publicAnswer(await deps.signer.jwks()),
    }),
    defineRoute({
      ...common,
      id: "openidConfiguration",
      method: "GET",
      path: "/.well-known/openid-configuration",
      summary: "The endpoints of this server and their capabilities",
      ignoresCredentials: true,
      handle: () => publicAnswer(configuration(urls)),
    }),
  ];
}

/** Requires a credential that may read its owner's identity. API tokens need the right to read the account. */
function requireReach(actor: Actor): { readonly actor: UserActor; readonly reach: UserInfoReach } {
  // A browser session is not accepted: a page of another site must not find out who is signed in.
  if (!isUser(actor) || actor.credential.kind === "session") throw unauthenticated("no valid authorization", { challenge: `Bearer ${realm}` });
  const { scopes, grantedScopes = [] } = actor.credential;
  const mayRead = allowsScope(scopes, "user", "read");
  if (!mayRead && !asksFor(grantedScopes, "openid")) throw forbidden("the token has neither the scope openid nor read:user");
  const mayKnow = (scope: (typeof identityScopes)[number]): boolean => mayRead || asksFor(grantedScopes, scope);
  const groups = asksFor(grantedScopes, "groups") || allowsScope(scopes, "organization", "read");
  return { actor, reach: { profile: mayKnow("profile"), email: mayKnow("email"), groups } };
}

/**
 * OpenID Connect Discovery 1.0, section 3. @compat Gitea lists `id_token` and `plain`, although no response type is `id_token` alone
 * and public applications may not use `plain` (oauth2/oauth2.test.ts)
 */
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
  authorization_response_iss_parameter_supported: true,
});
