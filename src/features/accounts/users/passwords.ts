import { randomBytes } from "node:crypto";
import { lengths } from "../../../core/lengths.ts";
import { createLimiter } from "../../../git/run/limiter.ts";
import { verifyImportedHash } from "./imported-hashes.ts";

export const minPasswordLength = 8;
/** Longer passwords would only slow down hashing. */
export const maxPasswordLength = lengths.password;

/** Passwords are hashed with argon2id (RFC 9106), 19 MiB and two passes, and stored as PHC strings. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const prefix = `$argon2id$v=19$m=${options.memoryCost},t=${options.timeCost},p=${options.parallelism}$`;

/** Whether a hash was imported from another program, or made with other costs. */
export const isForeignHash = (hash: string): boolean => !hash.startsWith(prefix);

/** The native module is loaded on first use, so that `--version` does not wait for it. */
const argon2 = () => import("@node-rs/argon2");

export interface HasherLimits {
  readonly atOnce: number;
  /** Maximum number of waiting callers; further ones are rejected at once. */
  readonly waiting: number;
  readonly waitMs: number;
}

export interface Hasher {
  /** @throws ForgeError `unavailable` with `retryAfter` when too many callers wait */
  hash(password: string): Promise<string>;
  /** @param hash empty for a missing account: the result is false, with the same timing. Throws as {@link hash} */
  verify(hash: string, password: string): Promise<boolean>;
  /** Runs another slow hash in turn. Throws as {@link hash} */
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
  /** Number of hashes since the start. */
  readonly hashed: number;
}

/** A hash takes a core for some hundredths of a second and 19 MiB, so concurrent and waiting ones are limited. */
export function createHasher(limits: HasherLimits): Hasher {
  const limiter = createLimiter({ total: limits.atOnce, perStore: limits.atOnce, queue: limits.waiting, waitMs: limits.waitMs });
  let hashed = 0;
  /** A hash that no password matches. Verifying against it takes as long as against a real one. */
  let dummyHash: Promise<string> | undefined;

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
        if (hash !== "") return hash.startsWith("$argon2") ? functions.verify(hash, password) : verifyImportedHash(hash, password);
        dummyHash ??= functions.hash(randomBytes(32).toString("hex"), options);
        await functions.verify(await dummyHash, password);
        return false;
      });
    },
    run: (work) => inTurn(work),
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

/** One per process, like the thread pool that it uses: half of its four threads, so that disk access never waits for passwords. */
export const hasher = createHasher({ atOnce: 2, waiting: 200, waitMs: 15_000 });
export const hashPassword = hasher.hash;
export const verifyPassword = hasher.verify;
export const runSlowHash = hasher.run;
