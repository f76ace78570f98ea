import type { UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { toActor } from "../../users/actor-account.ts";
import { checkState } from "../../users/service/identities.ts";
import type { IdentityView } from "../model.ts";
import { rightsOf } from "../scopes.ts";
import { type BearerRow, findBearer } from "../store/grants.ts";
import { findIdentity } from "../store/identity.ts";
import type { Signer } from "./signer.ts";
import { accessKind } from "./tokens.ts";

export interface BearerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly urls: Urls;
  readonly signer: Signer;
}

/** Reads an access token of this server; undefined for any other string, and when its grant is revoked. One statement. */
export async function readAccessToken(deps: Omit<BearerDeps, "urls">, token: string): Promise<(BearerRow & { readonly expiresMs: number }) | undefined> {
  const claims = await deps.signer.verify(token, deps.clock.now());
  const { gnt, tt, exp } = claims ?? {};
  if (typeof gnt !== "number" || tt !== accessKind) return undefined;
  const bearer = await findBearer(deps.db, gnt);
  return bearer && { ...bearer, expiresMs: Number(exp) * 1_000 };
}

/** The caller of an access token, with its granted rights. @throws ForgeError `forbidden` when the account may not be used */
export async function actorByAccessToken(deps: BearerDeps, token: string): Promise<UserActor | undefined> {
  const bearer = await readAccessToken(deps, token);
  if (bearer === undefined) return undefined;
  const { account, scopes, expiresMs } = bearer;
  checkState(account, deps.urls);
  return toActor(account, { kind: "oauth2", scopes: rightsOf(scopes), isBasic: false, expiresMs, grantedScopes: scopes });
}

/** The caller's full identity. Two statements. */
export async function getIdentity(deps: { readonly db: Reader }, accountId: number): Promise<IdentityView> {
  const identity = await findIdentity(deps.db, accountId);
  if (identity === undefined) throw new Error(`account ${accountId} was deleted while its identity was being read`);
  return identity;
}
