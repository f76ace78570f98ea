import { createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Credential, UserActor } from "../../../access/actor.ts";
import { allScopes, parseScopes } from "../../../access/scopes.ts";
import type { Clock } from "../../../core/clock.ts";
import { forbidden, unauthenticated } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import { hashToken } from "../../../core/secrets.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Db } from "../../../db/db.ts";
import { verifyPassword } from "../passwords.ts";
import { type CredentialRow, findCredential, findCredentialById, findTokenCredential } from "../store/credentials.ts";
import { createTokenUse } from "./token-use.ts";
import type { PasswordSources } from "./password-sources.ts";

export interface IdentityDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly urls: Urls;
  readonly log: Log;
  readonly passwordSources: PasswordSources;
}

/** How long a verified password is believed without hashing it again. */
const verifiedForMs = 60_000;

/** Who a request comes from. Satisfies the kit's `Identities`. */
export function createIdentities(deps: IdentityDeps) {
  const { db, clock, passwordSources } = deps;
  const secret = randomBytes(32);
  // Keyed by a MAC of everything that makes the verification hold; the password itself is never kept.
  const verified = new LRUCache<string, true>({ max: 10_000, ttl: verifiedForMs });
  // Who signs in by a login name that only a source knows: the account that it stood for.
  const admitted = new LRUCache<string, { readonly id: number; readonly credentialVersion: number }>({ max: 10_000, ttl: verifiedForMs });
  const tokenUse = createTokenUse(deps);

  const mac = (...facts: readonly unknown[]): string => createHmac("sha256", secret).update(JSON.stringify(facts)).digest("base64");

  /** The one place where a password is judged: where it is kept, and nowhere else. */
  async function verify(login: string, password: string): Promise<CredentialRow | undefined> {
    const row = await findCredential(db, login);
    if (row === undefined) return admit(login, password);
    const key = mac(row.id, row.credentialVersion, row.sourceId, row.loginName, row.passwordHash, password);
    if (verified.has(key)) return row;
    const there = row.sourceId === 0 ? undefined : await passwordSources.verify(row, password);
    if (!(there ?? (await verifyPassword(row.passwordHash, password)))) return undefined;
    verified.set(key, true);
    return there === undefined ? row : findCredentialById(db, row.id);
  }

  async function admit(login: string, password: string): Promise<CredentialRow | undefined> {
    const key = mac(login, password);
    const before = admitted.get(key);
    if (before !== undefined) {
      const row = await findCredentialById(db, before.id);
      if (row?.credentialVersion === before.credentialVersion) return row;
    }
    const id = await passwordSources.admit(login, password);
    const row = id === undefined ? undefined : await findCredentialById(db, id);
    if (row !== undefined) admitted.set(key, { id: row.id, credentialVersion: row.credentialVersion });
    // A name that nobody has takes as long as one that somebody has.
    else await verifyPassword("", password);
    return row;
  }

  return {
    async byToken(token: string, { isBasic }: { readonly isBasic: boolean }): Promise<UserActor | undefined> {
      const row = await findTokenCredential(db, hashToken(token));
      if (row === undefined) return undefined;
      if (row.expiresMs !== null && row.expiresMs <= clock.now()) {
        throw unauthenticated(`invalid username, password or token: the token expired at ${formatTime(row.expiresMs)}`);
      }
      checkState(row, deps.urls);
      tokenUse.note(row.tokenId, row.lastUsedMs);
      const scopes = parseScopes(row.scopes.split(","));
      if ("unknown" in scopes) throw new Error(`token ${row.tokenId} holds the unknown scope ${scopes.unknown}`);
      const limit = row.repositoryIds && { tokenId: row.tokenId, repositoryIds: new Set(row.repositoryIds) };
      const ends = row.expiresMs !== null && { expiresMs: row.expiresMs };
      return toActor(row, { kind: "token", scopes, tokenId: row.tokenId, isBasic, ...ends, ...(limit && { limit }) });
    },

    async byPassword({ login, password }: { readonly login: string; readonly password: string }): Promise<UserActor | undefined> {
      const row = await verify(login, password);
      // @compat a prohibited account learns nothing from its right password; one that must change it is told
      if (row === undefined || row.prohibitLogin || !row.isActive) return undefined;
      checkState(row, deps.urls);
      return toActor(row, { kind: "password", scopes: allScopes, isBasic: true });
    },

    /** For forms to sign in: also an account that has to change its password, and no more than which one it is. */
    async checkPassword({ login, password }: { readonly login: string; readonly password: string }): Promise<{ id: number; mustChangePassword: boolean } | undefined> {
      const row = await verify(login, password);
      if (row === undefined || row.prohibitLogin || !row.isActive) return undefined;
      return { id: row.id, mustChangePassword: row.mustChangePassword };
    },

    /** Resolves when the uses of tokens so far are noted. */
    settled: () => tokenUse.settled(),

    async bySudo(name: string, administrator: UserActor): Promise<UserActor | undefined> {
      const row = name.includes("@") ? undefined : await findCredential(db, name);
      return row && toActor(row, administrator.credential);
    },
  };
}

export const toActor = (row: CredentialRow, credential: Credential): UserActor => ({
  kind: "user",
  id: row.id,
  name: row.name,
  fullName: row.fullName,
  email: row.email,
  hideEmail: row.hideEmail,
  isAdmin: row.isAdmin,
  isRestricted: row.isRestricted,
  credential,
});

export function checkState(row: CredentialRow, urls: Urls): void {
  if (row.prohibitLogin || !row.isActive) {
    throw forbidden("This account is prohibited from signing in, please contact your site administrator.", { body: "message" });
  }
  if (row.mustChangePassword) {
    // @compat the double slash is what clients have always been told
    throw forbidden(`You must change your password. Change it at: ${urls.origin}//user/change_password`, { body: "message" });
  }
}
