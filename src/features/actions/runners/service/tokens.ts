import type { UserActor } from "../../../../access/actor.ts";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { hashToken, randomToken } from "../../../../core/secrets.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { deactivateTokens, findActiveToken, insertToken } from "../store/registration-tokens.ts";

export interface TokenDeps {
  readonly db: Db;
  readonly sealer: Sealer;
}

const purpose = "runner registration token";

/** The token that registers runners of an owner: the same until it is renewed. */
export async function registrationToken(deps: TokenDeps, actor: UserActor, owner: SettingsOwner): Promise<string> {
  const known = await existingToken(deps, owner);
  if (known !== undefined) return known;
  return deps.db.tx(async (tx) => (await existingToken({ ...deps, db: tx }, owner)) ?? makeToken(tx, deps.sealer, actor, owner));
}

/** The token, if one was made. Pages use this: reading a page makes none. */
export async function existingToken({ db, sealer }: { readonly db: Reader; readonly sealer: Sealer }, owner: SettingsOwner): Promise<string | undefined> {
  const sealed = await findActiveToken(db, owner);
  return sealed === undefined ? undefined : sealer.open(purpose, sealed);
}

/** Replaces the token. Runners that it has registered stay. */
export const renewToken = ({ db, sealer }: TokenDeps, actor: UserActor, owner: SettingsOwner): Promise<string> =>
  db.tx((tx) => makeToken(tx, sealer, actor, owner));

/** The columns of a token. */
export const sealedRegistrationToken = (sealer: Sealer, token: string): { readonly token_hash: string; readonly sealed: string } => ({
  token_hash: hashToken(token),
  sealed: sealer.seal(purpose, token),
});

async function makeToken(tx: Tx, sealer: Sealer, by: UserActor, owner: SettingsOwner): Promise<string> {
  const token = randomToken();
  await deactivateTokens(tx, owner);
  const { token_hash: hash, sealed } = sealedRegistrationToken(sealer, token);
  await insertToken(tx, owner, { hash, sealed });
  const facts = { name: "", ownerName: owner.scope === "server" ? "" : owner.name };
  await recordEvent(tx, "action_runner.token_renewed", facts, { by, ...(owner.scope === "repository" && { repoId: owner.repoId }) });
  return token;
}
