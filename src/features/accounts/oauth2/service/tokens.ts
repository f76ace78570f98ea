import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { ForgeError } from "../../../../core/errors.ts";
import { hashToken } from "../../../../core/secrets.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { isBcryptHash } from "../../users/imported-hashes.ts";
import { verifyPassword } from "../../users/passwords.ts";
import { meetsChallenge } from "../challenge.ts";
import { oauthError } from "../errors.ts";
import type { Claims } from "../jwt.ts";
import type { IdentityView, TokenAnswer, TokenRequest } from "../model.ts";
import { isSameRedirect, matchesRedirect } from "../redirects.ts";
import { asksFor } from "../scopes.ts";
import { type ApplicationRow, findByClientId, replaceSecretHash } from "../store/applications.ts";
import { advanceFamily, deleteExpired, deleteFamily, type FamilyRow, findFamily } from "../store/grants.ts";
import { findIdentity } from "../store/identity.ts";
import type { ClientCredentials } from "../token-request.ts";
import type { Signer } from "./signer.ts";

export interface TokenDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly urls: Urls;
  readonly signer: Signer;
  readonly config: Pick<Config, "oauth2">;
  /** The identity claims of an id_token. */
  readonly presentIdentity: (identity: IdentityView, scopes: readonly string[]) => Claims;
}

/** Claims for the kind of a token. @compat Gitea's names, and 0 and 1 for the two kinds (oauth2/oauth2.test.ts) */
export const accessKind = 0;
const refreshKind = 1;

/** Exchanges a code or a refresh token for tokens. @throws ForgeError `malformed` with the error body of RFC 6749 (5.2) */
export function exchange(deps: TokenDeps, request: TokenRequest): Promise<TokenAnswer> {
  switch (request.grantType) {
    case "authorization_code":
      return exchangeCode(deps, request);
    case "refresh_token":
      return exchangeRefreshToken(deps, request);
    default:
      throw oauthError("unsupported_grant_type", "Only refresh_token or authorization_code grant type is supported");
  }
}

async function exchangeCode(deps: TokenDeps, request: TokenRequest): Promise<TokenAnswer> {
  const application = await findClient(deps, request);
  if (application.isConfidential && request.clientSecret === "") throw oauthError("unauthorized_client", "invalid empty client secret");
  if (!(await hasSecret(deps, application, request))) throw oauthError("unauthorized_client", "invalid client secret");
  if (request.redirectUri !== "" && !isRegistered(application, request.redirectUri)) throw oauthError("unauthorized_client", "unexpected redirect URI");

  // A refusal is returned here and thrown afterwards, so that the revocation is committed.
  const outcome = await deps.db.tx(async (tx): Promise<FamilyRow | ForgeError> => {
    const family = await findFamily(tx, { codeHash: hashToken(request.code) });
    if (family === undefined || family.applicationId !== application.id) return unknownCode();
    if (family.generation > 0) {
      // The second use may be the owner's and the first a thief's, so the tokens are revoked (RFC 6749, 4.1.2).
      await endMisused(tx, application, family, "code");
      return unknownCode();
    }
    const now = deps.clock.now();
    if (family.expiresMs <= now || !family.mayAccountSignIn) return unknownCode();
    if (!meetsChallenge(request.codeVerifier, family.challenge, family.challengeMethod)) return oauthError("unauthorized_client", "failed PKCE code challenge");
    if (!isSameRedirect(request.redirectUri, family.redirectUri))
      return oauthError("invalid_grant", "redirect_uri differs from the original authorization request");
    return (await advanceFamily(tx, family.id, 0, now + refreshLivesMs(deps))) ? family : unknownCode();
  });
  if (outcome instanceof Error) throw outcome;
  return issue(deps, application, outcome, { generation: 1, nonce: outcome.nonce });
}

async function endMisused(tx: Tx, application: ApplicationRow, family: FamilyRow, shown: "code" | "refresh token"): Promise<void> {
  await deleteFamily(tx, family.id);
  const event = { accountId: family.accountId, name: family.accountName, applicationId: application.id, applicationName: application.name, shown };
  await recordEvent(tx, "oauth2_grant.misused", event, { by: null });
}

const isRegistered = (application: ApplicationRow, redirectUri: string): boolean =>
  matchesRedirect(application, redirectUri) || application.redirectUris.some((registered) => isSameRedirect(registered, redirectUri));

const unknownCode = () => oauthError("unauthorized_client", "client is not authorized");

async function exchangeRefreshToken(deps: TokenDeps, request: TokenRequest): Promise<TokenAnswer> {
  const application = await findClient(deps, request);
  if ((application.isConfidential && request.clientSecret === "") || !(await hasSecret(deps, application, request))) {
    throw oauthError("invalid_client", request.clientSecret === "" ? "invalid empty client secret" : "invalid client secret");
  }
  const claims = await deps.signer.verify(request.refreshToken, deps.clock.now());
  const { gnt, tt, cnt } = claims ?? {};
  if (typeof gnt !== "number" || tt !== refreshKind || typeof cnt !== "number") throw oauthError("unauthorized_client", "unable to parse refresh token");

  const outcome = await deps.db.tx(async (tx): Promise<FamilyRow | ForgeError> => {
    const family = await findFamily(tx, { id: gnt });
    if (family === undefined || family.applicationId !== application.id) return oauthError("invalid_grant", "grant does not exist");
    if (family.generation !== cnt) {
      // A refresh token works once. On a second use one of the two holders is a thief, so both lose access (RFC 9700, 4.14.2).
      await endMisused(tx, application, family, "refresh token");
      return oauthError("unauthorized_client", "token was already used");
    }
    if (!family.mayAccountSignIn) return oauthError("invalid_grant", "the account may not sign in");
    await advanceFamily(tx, family.id, cnt, deps.clock.now() + refreshLivesMs(deps));
    return family;
  });
  if (outcome instanceof Error) throw outcome;
  return issue(deps, application, outcome, { generation: cnt + 1, nonce: "" });
}

async function findClient(deps: TokenDeps, { clientId }: TokenRequest): Promise<ApplicationRow> {
  const application = await findByClientId(deps.db, clientId);
  if (application === undefined) throw oauthError("invalid_client", `cannot load client with client id: '${clientId.slice(0, 100)}'`);
  return application;
}

/** A public application needs no secret, but one that it sends must be correct. */
const hasSecret = async (deps: TokenDeps, application: ApplicationRow, { clientSecret }: TokenRequest): Promise<boolean> =>
  clientSecret === "" || (await isSecretOf(deps, application, clientSecret));

/** The first use of a secret that was imported from Gitea replaces its slow hash. */
async function isSecretOf({ db }: TokenDeps, { id, secretHash }: ApplicationRow, secret: string): Promise<boolean> {
  if (!isBcryptHash(secretHash)) return hashToken(secret) === secretHash;
  if (!(await verifyPassword(secretHash, secret))) return false;
  await db.tx((tx) => replaceSecretHash(tx, id, { former: secretHash, hash: hashToken(secret) }));
  return true;
}

const hourMs = 3_600_000;
const refreshLivesMs = ({ config }: TokenDeps): number => config.oauth2.refresh_token_hours * hourMs;

async function issue(
  deps: TokenDeps,
  application: ApplicationRow,
  family: FamilyRow,
  { generation, nonce }: { readonly generation: number; readonly nonce: string },
): Promise<TokenAnswer> {
  const { urls, signer, config } = deps;
  const lives = config.oauth2.access_token_seconds;
  const iat = Math.floor(deps.clock.now() / 1_000);
  const identity = asksFor(family.scopes, "openid") ? await findIdentity(deps.db, family.accountId) : undefined;
  const [access, refresh, id] = await Promise.all([
    signer.sign({ gnt: family.id, tt: accessKind, exp: iat + lives, iat }),
    signer.sign({ gnt: family.id, tt: refreshKind, cnt: generation, exp: iat + Math.floor(refreshLivesMs(deps) / 1_000), iat }),
    identity &&
      signer.sign({
        iss: urls.origin,
        aud: [application.clientId],
        exp: iat + lives,
        iat,
        auth_time: Math.floor(family.signedInMs / 1_000),
        ...(nonce !== "" && { nonce }),
        ...deps.presentIdentity(identity, family.scopes),
      }),
  ]);
  return { access_token: access, token_type: "bearer", expires_in: lives, refresh_token: refresh, ...(id !== undefined && { id_token: id }) };
}

/** Deletes expired codes and token families. @returns their number */
export const pruneTokens = (deps: { readonly db: Db; readonly clock: Clock }): Promise<number> => deps.db.tx((tx) => deleteExpired(tx, deps.clock.now()));

/** The client authenticated by its secret; undefined otherwise. Public applications have no secret. */
export async function authenticateClient(deps: TokenDeps, { clientId, clientSecret }: ClientCredentials): Promise<ApplicationRow | undefined> {
  const application = clientSecret === "" ? undefined : await findByClientId(deps.db, clientId);
  return application !== undefined && (await isSecretOf(deps, application, clientSecret)) ? application : undefined;
}
