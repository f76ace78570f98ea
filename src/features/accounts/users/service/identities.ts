import type { UserActor } from "../../../../access/actor.ts";
import { allScopes, parseScopes } from "../../../../access/scopes.ts";
import type { Identified, RepositoryPath } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, unauthenticated } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import { hashToken } from "../../../../core/secrets.ts";
import { formatTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import type { Author } from "../../../../events/events.ts";
import { type ActorAccount, maySignIn, toActor } from "../actor-account.ts";
import { createTokenLookup, findCredential, type RepositoryText } from "../store/credentials.ts";
import { touchTokens } from "../store/tokens.ts";
import { findImportedToken } from "./imported-tokens.ts";
import type { GivenPassword, PasswordGate } from "./password-gate.ts";

export interface IdentityDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly urls: Urls;
  readonly log: Log;
  readonly passwords: PasswordGate;
  readonly repositoryText: RepositoryText;
}

export interface CheckedPassword {
  readonly id: number;
  readonly name: string;
  readonly mustChangePassword: boolean;
  /** The version of the checked credentials. Sessions started with it end when it is incremented. */
  readonly credentialVersion: number;
  /** A second factor must be checked before access is granted. */
  readonly hasSecondFactor: boolean;
}

/** Authenticates requests. Implements the HTTP kit's `Identities`. */
export function createIdentities(deps: IdentityDeps) {
  const { db, clock, passwords } = deps;
  const tokenUse = createTokenUse(deps);
  const findToken = createTokenLookup(deps.repositoryText);

  return {
    async byToken(
      token: string,
      { isBasic, repository }: { readonly isBasic: boolean; readonly repository?: RepositoryPath | undefined },
    ): Promise<Identified | undefined> {
      const found = await findToken(db, hashToken(token), repository);
      const row = found?.credential ?? (await findImportedToken(db, token));
      if (row === undefined) return undefined;
      if (row.expiresMs !== null && row.expiresMs <= clock.now()) {
        throw unauthenticated(`invalid username, password or token: the token expired at ${formatTime(row.expiresMs)}`);
      }
      checkState(row, deps.urls);
      tokenUse.note(row.tokenId, row.lastUsedMs);
      const scopes = parseScopes(row.scopes.split(","));
      if ("unknown" in scopes) throw new Error(`token ${row.tokenId} has the unknown scope ${scopes.unknown}`);
      const limit = row.repositoryIds && { tokenId: row.tokenId, repositoryIds: new Set(row.repositoryIds) };
      const ends = row.expiresMs !== null && { expiresMs: row.expiresMs };
      const actor = toActor(row, { kind: "token", scopes, tokenId: row.tokenId, isBasic, ...ends, ...(limit && { limit }) });
      return { actor, readAhead: found?.readAhead };
    },

    async byPassword(given: GivenPassword & { readonly otp: string | undefined }): Promise<UserActor | undefined> {
      const row = await passwords.check(given);
      if (row === undefined) return undefined;
      const { hasSecondFactor } = row;
      const actor = toActor(row, { kind: "password", scopes: allScopes, isBasic: true, ...(hasSecondFactor && { hasSecondFactor }) });
      if (hasSecondFactor && !(await passwords.checkCode(actor, given.otp, given.remoteAddress))) return undefined;
      checkState(row, deps.urls);
      return actor;
    },

    /** For sign-in forms: also accepts an account that must change its password, and returns no more than the account's identity. */
    async checkPassword(given: GivenPassword): Promise<CheckedPassword | undefined> {
      const row = await passwords.check(given);
      if (row === undefined || !row.isActive) return undefined;
      const { id, name, mustChangePassword, credentialVersion, hasSecondFactor } = row;
      return { id, name, mustChangePassword, credentialVersion, hasSecondFactor };
    },

    /** The second step for an account with a second factor. Throws `throttled` after too many failures. */
    checkCode: (account: Author, code: string, remoteAddress: string): Promise<boolean> => passwords.checkCode(account, code, remoteAddress),

    /** Resolves when the uses of tokens so far are recorded. */
    settled: () => tokenUse.settled(),

    async bySudo(name: string, administrator: UserActor): Promise<UserActor | undefined> {
      const row = name.includes("@") ? undefined : await findCredential(db, name);
      return row && toActor(row, administrator.credential);
    },
  };
}

/** @throws ForgeError `forbidden` if the account may not be used now */
export function checkState(account: ActorAccount, urls: Pick<Urls, "origin">): void {
  if (!maySignIn(account)) {
    throw forbidden("This account is prohibited from signing in, please contact your site administrator.", { body: "message", reason: "sign_in_prohibited" });
  }
  if (account.mustChangePassword) {
    // @compat clients know the message with the double slash (users/api.test.ts)
    throw forbidden(`You must change your password. Change it at: ${urls.origin}//user/change_password`, {
      body: "message",
      reason: "password_change_required",
    });
  }
}

/** Accuracy of a token's time of last use, so that a busy token does not write on each request. */
const exactToMs = 60_000;

/** Records the use of tokens after the requests that use them. */
interface TokenUse {
  /** Does nothing if a use was recorded within the last minute. */
  note(tokenId: number, lastUsedMs: number): void;
  /** Resolves when everything noted so far is in the database. */
  settled(): Promise<void>;
}

/** Uses during one write transaction share the next one. A use that cannot be written is logged and lost. */
function createTokenUse(deps: Pick<IdentityDeps, "db" | "clock" | "log">): TokenUse {
  const { db, clock, log } = deps;
  const noted = new Set<number>();
  const writing = new Set<number>();
  let writer: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (noted.size > 0) {
      const ids = [...noted];
      noted.clear();
      for (const id of ids) writing.add(id);
      const now = clock.now();
      try {
        await db.tx((tx) => touchTokens(tx, ids, { now, before: now - exactToMs }));
      } catch (error) {
        log.warn({ err: error, tokens: ids.length }, "recording the last use of tokens failed");
      }
      writing.clear();
    }
    writer = undefined;
  }

  return {
    note(tokenId, lastUsedMs) {
      if (clock.now() - lastUsedMs < exactToMs || writing.has(tokenId)) return;
      noted.add(tokenId);
      writer ??= write();
    },
    settled: async () => writer,
  };
}
