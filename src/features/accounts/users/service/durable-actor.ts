import type { Credential, UserActor } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { findCredentialById } from "../store/credentials.ts";
import { checkState, toActor } from "./identities.ts";

/**
 * Somebody who is known without a request of his: by a key that he holds, or by what he asked for earlier. One statement.
 * @throws ForgeError `forbidden` when the account may not sign in
 */
export async function findActor(deps: { readonly db: Reader; readonly urls: Urls }, accountId: number, credential: Credential): Promise<UserActor | undefined> {
  const row = await findCredentialById(deps.db, accountId);
  if (row === undefined) return undefined;
  checkState(row, deps.urls);
  return toActor(row, credential);
}
