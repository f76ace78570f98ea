import { createHash } from "node:crypto";
import type { Clock } from "../../../../core/clock.ts";
import { throttled } from "../../../../core/errors.ts";
import { networkOf } from "../../../../core/networks.ts";
import type { Db } from "../../../../db/db.ts";
import { type AttemptRow, countFailure, forgetFailures, loadAttempt, pruneSignIns as pruneRows, rememberNetwork } from "../store/sign-ins.ts";

/** Numbers of failures after which a caller has to wait. Each failure is forgotten after `forgetMs`. */
export interface ThrottleLimits {
  /** For one login from one network. */
  readonly pair: number;
  /** For all logins from one network. */
  readonly network: number;
  /** For one login from all networks unknown to its account. */
  readonly login: number;
  /** How long a failure counts. */
  readonly forgetMs: number;
}

export interface Attempt {
  /** As typed. Unknown names are throttled like known ones. */
  readonly login: string;
  /** 0 for an unknown name. */
  readonly accountId: number;
  readonly remoteAddress: string;
}

/** A correct secret. */
export interface ThrottleDecision {
  readonly accountId: number;
  /** The sign-in is complete, so the network becomes known for the account. */
  readonly isWhole: boolean;
}

export interface Throttle {
  /**
   * Checks a secret, unless there have been too many failures.
   * @param secret returns undefined for a wrong one, which counts as a failure; an error does not count
   * @throws ForgeError `throttled` with the time to wait
   */
  check<T extends ThrottleDecision>(attempt: Attempt, secret: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Number of known networks per account; the newest are kept. */
const maxNetworks = 50;
const dayMs = 86_400_000;
const rememberedMs = 180 * dayMs;

export interface ThrottleDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: ThrottleLimits;
  /** Counts another action than signing in, separately. */
  readonly subject?: string;
}

interface Subject {
  readonly name: string;
  readonly most: number;
}

const names = (subjects: readonly Subject[]): readonly string[] => subjects.map(({ name }) => name);

/**
 * Slows down guessing without locking users out: networks from which an account has signed in before are not affected by failures
 * elsewhere. The counts are in the database, so all nodes share them.
 */
export function createThrottle(deps: ThrottleDeps): Throttle {
  const { db, clock, limits } = deps;
  const prefix = deps.subject === undefined ? "" : `${deps.subject} `;
  // Attempts in progress in this process, by subject. They count as failures until they are decided, so concurrent attempts gain
  // nothing.
  const underWay = new Map<string, number>();

  const change = (subject: string, by: 1 | -1): void => {
    const left = (underWay.get(subject) ?? 0) + by;
    if (left === 0) underWay.delete(subject);
    else underWay.set(subject, left);
  };

  const fail = (subjects: readonly Subject[]): Promise<void> => db.tx((tx) => countFailure(tx, names(subjects), clock.now(), limits.forgetMs));

  /** Writes only changes: once a day for a network, and after failures. */
  async function succeed(accountId: number, network: string, attempt: AttemptRow, pair: Subject): Promise<void> {
    const now = clock.now();
    const isNew = attempt.seenMs === undefined || now - attempt.seenMs > dayMs;
    const hasFailed = attempt.forgottenMs.has(pair.name);
    if (!isNew && !hasFailed) return;
    await db.tx(async (tx) => {
      if (isNew) await rememberNetwork(tx, accountId, network, now, maxNetworks);
      if (hasFailed) await forgetFailures(tx, pair.name);
    });
  }

  return {
    async check({ login, accountId, remoteAddress }, secret) {
      const network = networkOf(remoteAddress);
      const name = createHash("sha256").update(login.toLowerCase()).digest("base64url");
      const pair: Subject = { name: `${prefix}pair ${name} ${network}`, most: limits.pair };
      const everywhere: Subject = { name: `${prefix}login ${name}`, most: limits.login };
      const here: Subject = { name: `${prefix}network ${network}`, most: limits.network };
      const counted = [everywhere, pair].map((subject) => subject.name);
      const others = new Map(counted.map((subject) => [subject, underWay.get(subject) ?? 0]));
      for (const subject of counted) change(subject, 1);
      try {
        const subjects = [everywhere, here, pair];
        const attempt = await loadAttempt(db, names(subjects), accountId, network);
        const now = clock.now();
        const liable = attempt.seenMs === undefined ? subjects : [pair];
        const waitMs = Math.max(
          ...liable.map((subject) => {
            const failuresMs = Math.max(0, (attempt.forgottenMs.get(subject.name) ?? now) - now);
            return failuresMs + ((others.get(subject.name) ?? 0) - (subject.most - 1)) * limits.forgetMs;
          }),
        );
        if (waitMs > 0) {
          const seconds = Math.ceil(waitMs / 1_000);
          throw throttled(`too many failed attempts to sign in: try again in ${seconds} s`, { reason: "too_many_attempts", retryAfter: seconds });
        }
        const right = await secret();
        if (right === undefined) await fail(liable);
        else if (right.isWhole) await succeed(right.accountId, network, attempt, pair);
        return right;
      } finally {
        for (const subject of counted) change(subject, -1);
      }
    },
  };
}

/** Deletes outdated failures and networks that were not used for long. */
export async function pruneSignIns(deps: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  const now = deps.clock.now();
  await deps.db.tx((tx) => pruneRows(tx, { now, unseenSince: now - rememberedMs }));
}
