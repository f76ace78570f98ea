import type { DeployKeyActor, UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { actorOfKeyOwner } from "../../users/service/key-owner.ts";
import { fingerprintOf } from "../public-key.ts";
import { findKeyRow, findLastUse, type KeyUse, listGrants, touchKey } from "../store/key-holders.ts";
import { findByFingerprint } from "../store/public-keys.ts";

/** The user or repositories that a key acts for. */
export interface KeyHolder {
  readonly keyId: number;
  /** The owner's title for it; for a key of several repositories, the title in the first. */
  readonly title: string;
  readonly actor: UserActor | DeployKeyActor;
}

/** Finds a key by the bytes that clients send. One statement. */
export const findKey = (
  deps: { readonly db: Reader },
  blob: Buffer,
): Promise<{ readonly id: number; readonly accountId: number | null; readonly content: string } | undefined> => findByFingerprint(deps.db, fingerprintOf(blob));

/**
 * Two statements.
 * @returns undefined if the key is gone, or has neither owner nor repository
 * @throws ForgeError `forbidden` if its owner may not sign in
 */
export async function findKeyHolder(deps: { readonly db: Reader; readonly urls: Urls }, keyId: number, address: string): Promise<KeyHolder | undefined> {
  const key = await findKeyRow(deps.db, keyId);
  if (key === undefined) return undefined;
  if (key.accountId !== null) {
    const owner = await actorOfKeyOwner(deps, key.accountId);
    return owner && { keyId, title: key.title, actor: { ...owner, address } };
  }
  const grants = await listGrants(deps.db, keyId);
  const [first] = grants.values();
  return first && { keyId, title: first.title, actor: { kind: "deploy-key", keyId, grants, address } };
}

/** Accuracy of the time of last use, so that a busy key does not write for each session. */
const exactToMs = 60_000;

/** Records the use of a key. Writes at most once a minute for each key and repository. */
export async function noteKeyUse(deps: { readonly db: Db; readonly clock: Clock }, use: KeyUse): Promise<void> {
  const beforeMs = deps.clock.now() - exactToMs;
  if ((await findLastUse(deps.db, use)) < beforeMs) await deps.db.tx((tx) => touchKey(tx, use, beforeMs));
}
