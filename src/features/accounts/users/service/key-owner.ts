import type { UserActor } from "../../../../access/actor.ts";
import { allScopes } from "../../../../access/scopes.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { findActor } from "./durable-actor.ts";

/** The user whose public key was proved. One statement. @throws ForgeError `forbidden` when the account may not sign in */
export const actorOfKeyOwner = (deps: { readonly db: Reader; readonly urls: Urls }, accountId: number): Promise<UserActor | undefined> =>
  findActor(deps, accountId, { kind: "key", scopes: allScopes, isBasic: false });
