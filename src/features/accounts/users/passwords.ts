import { randomBytes } from "node:crypto";
import { createLimiter } from "../../../git/run/limiter.ts";

export const minPasswordLength = 8;
/** Longer ones would only make hashing slower. */
export const maxPasswordLength = 255;

/** Passwords by argon2id (RFC 9106), 19 MiB and two passes; kept as PHC strings. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The native module is loaded on first use: a server that is only asked for its version does not wait for it. */
const argon2 = () => import("@node-rs/argon2");

export interface HasherLimits {
  readonly atOnce: number;
  /** Callers that may wait; the next one is refused at once. */
  readonly waiting: number;
  readonly waitMs: number;
}

export interface Hasher {
  /** @throws ForgeError `unavailable` with `retryAfter` when too many wait */
  hash(password: string): Promise<string>;
  /** @param hash empty when there is no such account: the answer is false and takes the same time. Throws as {@link hash} */
  verify(hash: string, password: string): Promise<boolean>;
  readonly running: number;
  readonly waiting: number;
  /** How many passwords have been hashed since the start. */
  readonly hashed: number;
}

/** Hashing takes a core for some hundredths of a second and 19 MiB, so that only so many run at once and a bounded number waits. */
export function createHasher(limits: HasherLimits): Hasher {
  const limiter = createLimiter({ total: limits.atOnce, perStore: limits.atOnce, queue: limits.waiting, waitMs: limits.waitMs });
  let hashed = 0;
  /** A hash that no password has: verifying against it takes as long as against a real one. */
  let nobody: Promise<string> | undefined;

  async function inTurn<T>(work: (functions: Awaited<ReturnType<typeof argon2>>) => Promise<T>): Promise<T> {
    const release = await limiter.acquire("passwords");
    try {
      hashed += 1;
      return await work(await argon2());
    } finally {
      release();
    }
  }

  return {
    hash: (password) => inTurn(({ hash }) => hash(password, options)),
    async verify(hash, password) {
      if (password.length > maxPasswordLength) return false;
      return inTurn(async (functions) => {
        if (hash !== "") return functions.verify(hash, password);
        nobody ??= functions.hash(randomBytes(32).toString("hex"), options);
        await functions.verify(await nobody, password);
        return false;
      });
    },
    get running() {
      return limiter.running;
    },
    get waiting() {
      return limiter.waiting;
    },
    get hashed() {
      return hashed;
    },
  };
}

/** Of the process, as the thread pool is that it runs on: half of its four threads, so that the disk never waits for passwords. */
export const hasher = createHasher({ atOnce: 2, waiting: 200, waitMs: 15_000 });
export const hashPassword = hasher.hash;
export const verifyPassword = hasher.verify;
