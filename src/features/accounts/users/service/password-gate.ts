import { createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import { networkOf } from "../../../../core/networks.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db } from "../../../../db/db.ts";
import type { Author } from "../../../../events/events.ts";
import { hashPassword, isForeignHash, verifyPassword } from "../passwords.ts";
import { findCredential, findCredentialById, type PasswordCredentialRow, replaceHash } from "../store/credentials.ts";
import type { PasswordSources } from "./password-sources.ts";
import { createThrottle, type ThrottleLimits } from "./throttle.ts";
import { spendSecondFactor } from "./two-factor.ts";

export interface PasswordGateDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly passwordSources: PasswordSources;
  readonly throttleLimits: ThrottleLimits;
}

export interface GivenPassword {
  readonly login: string;
  readonly password: string;
  readonly remoteAddress: string;
}

/** How long a verified password is cached. */
const verifiedForMs = 60_000;

export interface PasswordGate {
  /**
   * The account of a password, which may be inactive. Undefined for a wrong password, an unknown name and a prohibited account, with
   * the same response and timing. An account with a second factor also requires {@link checkCode}.
   * @throws ForgeError `throttled` after too many failures, `unavailable` when too many passwords wait to be hashed
   */
  check(given: GivenPassword): Promise<PasswordCredentialRow | undefined>;
  /** Checks and consumes a code of the app or a recovery code. Throws as {@link check}. */
  checkCode(account: Author, code: string | undefined, remoteAddress: string): Promise<boolean>;
}

/** The only place where passwords and codes are checked, for every entry point. */
export function createPasswordGate(deps: PasswordGateDeps): PasswordGate {
  const { db, passwordSources } = deps;
  const throttle = createThrottle({ ...deps, limits: deps.throttleLimits });
  const secret = randomBytes(32);
  // Keyed by a MAC of everything that the verification depends on; the password itself is never stored. The network is included, so
  // that a verification elsewhere does not help a guesser.
  const bounds = { max: 10_000, ttl: verifiedForMs, perf: deps.clock };
  const verified = new LRUCache<string, true>(bounds);
  // The accounts behind login names that only a source knows.
  const admitted = new LRUCache<string, { readonly id: number; readonly credentialVersion: number }>(bounds);
  // Concurrent first requests share one hash.
  const underWay = new Map<string, Promise<PasswordCredentialRow | undefined>>();

  const mac = (...values: readonly unknown[]): string => createHmac("sha256", secret).update(JSON.stringify(values)).digest("base64");

  async function wasAdmitted(key: string): Promise<PasswordCredentialRow | undefined> {
    const before = admitted.get(key);
    const row = before && (await findCredentialById(db, before.id));
    return row?.credentialVersion === before?.credentialVersion ? row : undefined;
  }

  async function verify(row: PasswordCredentialRow, key: string, password: string): Promise<PasswordCredentialRow | undefined> {
    const there = row.sourceId === 0 ? undefined : await passwordSources.verify(row, password);
    if (!(there ?? (await verifyPassword(row.passwordHash, password)))) return undefined;
    // Nothing is cached with a second factor: a fast response would reveal that the password is correct.
    if (!row.hasSecondFactor) verified.set(key, true);
    // Not awaited: with a second factor, a slower response would reveal that the password is correct.
    if (there === undefined && isForeignHash(row.passwordHash)) void rehash(row, password);
    return there === undefined ? row : findCredentialById(db, row.id);
  }

  /** Replaces a hash of another program. If that fails, the next sign-in tries again. */
  async function rehash({ id, passwordHash }: PasswordCredentialRow, password: string): Promise<void> {
    try {
      const own = await hashPassword(password);
      await db.tx((tx) => replaceHash(tx, id, { former: passwordHash, own }));
    } catch (error) {
      deps.log.warn({ err: error, accountId: id }, "replacing an imported password hash failed");
    }
  }

  async function admit(key: string, login: string, password: string): Promise<PasswordCredentialRow | undefined> {
    const id = await passwordSources.admit(login, password);
    const row = id === undefined ? undefined : await findCredentialById(db, id);
    // An unknown name takes as long as a known one.
    if (row === undefined) await verifyPassword("", password);
    else if (!row.hasSecondFactor) admitted.set(key, { id: row.id, credentialVersion: row.credentialVersion });
    return row;
  }

  async function checkThrottled(row: PasswordCredentialRow | undefined, key: string, { login, password, remoteAddress }: GivenPassword) {
    const decision = await throttle.check({ login, accountId: row?.id ?? 0, remoteAddress }, async () => {
      const found = row === undefined ? await admit(key, login, password) : await verify(row, key, password);
      // @compat Gitea answers a prohibited account like a wrong password (users/api.test.ts)
      if (found === undefined || found.prohibitLogin) return undefined;
      return { accountId: found.id, isWhole: !found.hasSecondFactor, found };
    });
    return decision?.found;
  }

  return {
    async check(given) {
      // No name contains NUL, and PostgreSQL rejects it in a query.
      if (given.login.includes("\0")) return undefined;
      const row = await findCredential(db, given.login);
      const values = row === undefined ? [given.login] : [row.id, row.credentialVersion, row.sourceId, row.loginName, row.passwordHash];
      const key = mac(...values, given.password, networkOf(given.remoteAddress));
      const known = row === undefined ? await wasAdmitted(key) : verified.has(key) ? row : undefined;
      if (known !== undefined) return known.prohibitLogin ? undefined : known;
      const present = underWay.get(key);
      if (present !== undefined) return present;
      const checking = checkThrottled(row, key, given).finally(() => underWay.delete(key));
      underWay.set(key, checking);
      return checking;
    },

    async checkCode(account, code, remoteAddress) {
      const decision = await throttle.check({ login: account.name, accountId: account.id, remoteAddress }, async () =>
        code !== undefined && (await spendSecondFactor(deps, account, code)) ? { accountId: account.id, isWhole: true } : undefined,
      );
      return decision !== undefined;
    },
  };
}
