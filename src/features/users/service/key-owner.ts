import type { UserActor } from "../../../access/actor.ts";
import { allScopes } from "../../../access/scopes.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Reader } from "../../../db/db.ts";
import { findCredentialById } from "../store/credentials.ts";
import { checkState, toActor } from "./identities.ts";

/**
 * The user whose public key somebody has proved to hold. One statement.
 * @throws ForgeError `forbidden` when the account may not sign in
 */
export async function actorOfKeyOwner(deps: { readonly db: Reader; readonly urls: Urls }, accountId: number): Promise<UserActor | undefined> {
  const row = await findCredentialById(deps.db, accountId);
  if (row === undefined) return undefined;
  checkState(row, deps.urls);
  return toActor(row, { kind: "key", scopes: allScopes, isBasic: false });
}
