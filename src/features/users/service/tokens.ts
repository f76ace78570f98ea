import type { UserActor } from "../../../access/actor.ts";
import { allowsScope, parseScopes, type ScopeSet, scopeCategories, scopeNames } from "../../../access/scopes.ts";
import type { AccountSubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import { forbidden, malformed, notFound, unauthenticated } from "../../../core/errors.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import { hashToken, randomToken } from "../../../core/secrets.ts";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import { recordEvent } from "../../../events/events.ts";
import { deleteToken, insertToken, listTokens as listRows } from "../store/tokens.ts";
import type { TokenView } from "../view.ts";

export interface NewTokenInput {
  readonly name: string;
  readonly scopes: readonly string[];
}

/**
 * Makes an access token. The text is given this once.
 * @throws ForgeError `unauthenticated` unless the caller used a Basic header; `forbidden` for scopes beyond the caller's own
 */
export async function createToken(
  deps: { readonly db: Db; readonly clock: Clock },
  actor: UserActor,
  account: AccountSubject,
  input: NewTokenInput,
): Promise<{ readonly token: TokenView; readonly text: string }> {
  requireBasic(actor);
  const scopes = readScopes(input.scopes);
  requireHeld(actor.credential.scopes, scopes);
  const text = randomToken();
  try {
    const id = await deps.db.tx((tx) => insertTokenFor(tx, { accountId: account.id, name: input.name, text, scopes, now: deps.clock.now() }));
    return { text, token: { id, name: input.name, lastEight: text.slice(-8), scopes: scopeNames(scopes), createdMs: deps.clock.now(), lastUsedMs: 0 } };
  } catch (error) {
    if (isUniqueViolation(error, "access_tokens.account_id,name")) throw malformed("access token name has been used already");
    throw error;
  }
}

/** Stores a token whose text is known already. Throws a unique violation for a name in use. */
export async function insertTokenFor(
  tx: Tx,
  token: { readonly accountId: number; readonly name: string; readonly text: string; readonly scopes: ScopeSet; readonly now: number },
): Promise<number> {
  const { accountId, name, text, scopes, now } = token;
  const id = await insertToken(tx, { accountId, name, hash: hashToken(text), lastEight: text.slice(-8), scopes: scopeNames(scopes), now });
  await recordEvent(tx, "token.created", { accountId, tokenId: id, name }, { actorId: accountId });
  return id;
}

export function listTokens(deps: { readonly db: Reader }, actor: UserActor, account: AccountSubject, page: Page): Promise<Paged<TokenView>> {
  requireBasic(actor);
  return listRows(deps.db, account.id, page);
}

/** @param idOrName an id; or a name, when it is no number or no token has that id */
export async function removeToken(deps: { readonly db: Db }, actor: UserActor, account: AccountSubject, idOrName: string): Promise<void> {
  requireBasic(actor);
  const removed = await deps.db.tx(async (tx) => {
    const byId = /^\d{1,15}$/.test(idOrName) ? await deleteToken(tx, account.id, { id: Number(idOrName) }) : 0;
    return byId > 0 ? byId : deleteToken(tx, account.id, { name: idOrName });
  });
  if (removed === 0) throw notFound();
}

function requireBasic(actor: UserActor): void {
  if (!actor.credential.isBasic) throw unauthenticated("auth required");
}

function readScopes(texts: readonly string[]): ScopeSet {
  const scopes = parseScopes(texts);
  if ("unknown" in scopes) throw malformed(`invalid access token scope provided: invalid access token scope: ${scopes.unknown}`);
  if (!scopes.all && !scopes.publicOnly && scopes.levels.size === 0) throw malformed("access token must have a scope");
  return scopes;
}

/** A token cannot make a wider one. */
function requireHeld(held: ScopeSet, wanted: ScopeSet): void {
  const isWider =
    (wanted.all && !held.all) ||
    (held.publicOnly && !wanted.publicOnly) ||
    scopeCategories.some((category) => {
      const level = wanted.levels.get(category);
      return level !== undefined && !allowsScope(held, category, level);
    });
  if (isWider) throw forbidden("a token cannot be given scopes that the credential of this request lacks");
}
