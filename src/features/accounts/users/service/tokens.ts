import { limitOf, type UserActor } from "../../../../access/actor.ts";
import { allowsScope, parseScopes, type ScopeSet, scopeCategories, scopeNames } from "../../../../access/scopes.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, invalid, malformed, notFound, unauthenticated } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { hashToken, randomToken } from "../../../../core/secrets.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isForeignKeyViolation, isUniqueViolation } from "../../../../db/errors.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import type { TokenView } from "../model.ts";
import { deleteToken, insertToken, listTokens as listRows } from "../store/tokens.ts";

export interface NewTokenInput {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null: it never ends. */
  readonly expiresMs: number | null;
  /** `owner/name` or ids of the repositories to which the token is limited. Null: no limit. */
  readonly repositories: readonly string[] | null;
}

/** Resolves repositories for tokens. Repositories are a later feature, so the composition root provides it. */
export interface TokenRepositories {
  /** @throws ForgeError `invalid` for one that the actor cannot read */
  resolve(actor: UserActor, named: readonly string[]): Promise<readonly number[]>;
  /** The full names of those that the actor can read, by id. One statement. */
  names(actor: UserActor, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

export interface TokenDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly tokenRepositories: TokenRepositories;
}

/** More would slow down every lookup of the token. */
const maxRepositories = 100;

/** @throws ForgeError `invalid` for an expiry in the past */
export function checkExpiry({ clock }: Pick<TokenDeps, "clock">, expiresMs: number | null): void {
  if (expiresMs !== null && expiresMs <= clock.now()) throw invalid("[ExpiresAt]: the time has passed", { reason: "time_passed" });
}

/**
 * Creates an access token, which is returned only here.
 * @throws ForgeError `unauthenticated` unless the caller used a Basic header; `forbidden` for rights beyond those of the caller's
 * credential
 */
export async function createToken(
  deps: TokenDeps,
  actor: UserActor,
  account: AccountSubject,
  input: NewTokenInput,
): Promise<{ readonly token: TokenView; readonly text: string }> {
  requireBasic(actor);
  const scopes = readScopes(input.scopes);
  const { name, expiresMs } = input;
  checkLength("Name", name, lengths.line);
  requireHeld(actor, scopes, expiresMs);
  checkExpiry(deps, expiresMs);
  const repositoryIds = input.repositories && (await resolveLimit(deps, actor, input.repositories));
  const names = await deps.tokenRepositories.names(actor, repositoryIds ?? []);
  const text = randomToken();
  const now = deps.clock.now();
  try {
    const id = await deps.db.tx((tx) => insertTokenFor(tx, actor, { accountId: account.id, name, text, scopes, now, expiresMs, repositoryIds }));
    const rest = { createdMs: now, lastUsedMs: 0, expiresMs, repositories: namesOf(repositoryIds, names) };
    return { text, token: { id, name, lastEight: text.slice(-8), scopes: scopeNames(scopes), ...rest } };
  } catch (error) {
    if (isUniqueViolation(error, "access_tokens.account_id,name"))
      throw malformed("access token name has been used already", { reason: "name_taken", field: "name" });
    if (isForeignKeyViolation(error)) throw notFound();
    throw error;
  }
}

export interface KnownToken {
  readonly accountId: number;
  readonly name: string;
  readonly text: string;
  readonly scopes: ScopeSet;
  readonly now: number;
  readonly expiresMs?: number | null;
  readonly repositoryIds?: readonly number[] | null;
}

/** Stores a known token. Throws a unique violation for a name in use. */
export async function insertTokenFor(tx: Tx, by: Author | null, token: KnownToken): Promise<number> {
  const { accountId, name, text, scopes, now, expiresMs = null, repositoryIds = null } = token;
  const row = { accountId, name, hash: hashToken(text), lastEight: text.slice(-8), scopes: scopeNames(scopes), now, expiresMs, repositoryIds };
  const id = await insertToken(tx, row);
  await recordEvent(tx, "token.created", { accountId, tokenId: id, name, scopes: row.scopes }, { by });
  return id;
}

interface ListDeps {
  readonly db: Reader;
  readonly tokenRepositories: TokenRepositories;
}

export async function listTokens(deps: ListDeps, actor: UserActor, account: AccountSubject, page: Page): Promise<Paged<TokenView>> {
  requireBasic(actor);
  return listTokensOf(deps, actor, account.id, page);
}

/** The caller's tokens. The caller must not use a token. */
export function listOwnTokens(deps: ListDeps, actor: UserActor, page: Page): Promise<Paged<TokenView>> {
  requireNoToken(actor);
  return listTokensOf(deps, actor, actor.id, page);
}

async function listTokensOf(deps: ListDeps, actor: UserActor, accountId: number, page: Page): Promise<Paged<TokenView>> {
  const { total, items } = await listRows(deps.db, accountId, page);
  const names = await deps.tokenRepositories.names(
    actor,
    items.flatMap(({ repositoryIds }) => repositoryIds ?? []),
  );
  return { total, items: items.map(({ repositoryIds, ...token }) => ({ ...token, repositories: namesOf(repositoryIds, names) })) };
}

/** @param idOrName an id, or a name if it is not a number or no token has that id */
export async function removeToken(deps: { readonly db: Db }, actor: UserActor, account: AccountSubject, idOrName: string): Promise<void> {
  requireBasic(actor);
  await removeTokenOf(deps, actor, account.id, idOrName);
}

/** Deletes one of the caller's tokens. The caller must not use a token. @throws ForgeError `not_found` */
export async function removeOwnToken(deps: { readonly db: Db }, actor: UserActor, id: string): Promise<void> {
  requireNoToken(actor);
  await removeTokenOf(deps, actor, actor.id, id);
}

async function removeTokenOf(deps: { readonly db: Db }, actor: UserActor, accountId: number, idOrName: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const byId = /^\d{1,15}$/.test(idOrName) ? await deleteToken(tx, accountId, { id: Number(idOrName) }) : undefined;
    const removed = byId ?? (await deleteToken(tx, accountId, { name: idOrName }));
    if (removed === undefined) throw notFound();
    await recordEvent(tx, "token.deleted", { accountId, tokenId: removed.id, name: removed.name }, { by: actor });
  });
}

/** A token has limited rights and must not see or delete other tokens. */
function requireNoToken(actor: UserActor): void {
  if (actor.credential.kind !== "session" && actor.credential.kind !== "password") throw forbidden("this requires a signed-in user; tokens are not accepted");
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

/** A token cannot create one with more rights or a later expiry. */
function requireHeld(actor: UserActor, wanted: ScopeSet, expiresMs: number | null): void {
  const { scopes: held, expiresMs: ends } = actor.credential;
  if (limitOf(actor) !== undefined) throw forbidden("a token that is limited to repositories cannot create tokens");
  const isWider =
    (wanted.all && !held.all) ||
    (held.publicOnly && !wanted.publicOnly) ||
    scopeCategories.some((category) => {
      const level = wanted.levels.get(category);
      return level !== undefined && !allowsScope(held, category, level);
    });
  if (isWider) throw forbidden("a token cannot be given scopes that the credential of this request lacks");
  if (ends !== undefined && (expiresMs === null || expiresMs > ends)) throw forbidden("a token cannot outlive the credential of this request");
}

async function resolveLimit(deps: TokenDeps, actor: UserActor, named: readonly string[]): Promise<readonly number[]> {
  if (named.length === 0) throw invalid("[Repositories]: name the repositories that the token may act on, or omit the field", { reason: "required" });
  if (named.length > maxRepositories)
    throw invalid(`[Repositories]: a token can be limited to at most ${maxRepositories} repositories`, {
      reason: { code: "too_many_items", max: maxRepositories },
    });
  return [...new Set(await deps.tokenRepositories.resolve(actor, named))];
}

const namesOf = (ids: readonly number[] | null, names: ReadonlyMap<number, string>): readonly string[] | null =>
  ids === null ? null : ids.flatMap((id) => names.get(id) ?? []).sort();
