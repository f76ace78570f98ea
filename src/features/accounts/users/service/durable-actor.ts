import type { Credential, UserActor } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { toActor } from "../actor-account.ts";
import { findCredentialById } from "../store/credentials.ts";
import { checkState } from "./identities.ts";

/**
 * The actor for a user who has not sent the current request: the holder of a key, or the author of an earlier request. One
 * statement.
 * @throws ForgeError `forbidden` when the account may not sign in
 */
export async function findActor(deps: { readonly db: Reader; readonly urls: Urls }, accountId: number, credential: Credential): Promise<UserActor | undefined> {
  const row = await findCredentialById(deps.db, accountId);
  if (row === undefined) return undefined;
  checkState(row, deps.urls);
  return toActor(row, credential);
}
