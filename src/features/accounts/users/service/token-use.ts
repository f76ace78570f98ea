import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db } from "../../../../db/db.ts";
import { touchTokens } from "../store/tokens.ts";

/** A token's time of last use is exact to this much: a busy token does not write at each request. */
const exactToMs = 60_000;

/** Notes when tokens are used, behind the requests that use them. */
export interface TokenUse {
  /** Does nothing when a use was noted within the minute. */
  note(tokenId: number, lastUsedMs: number): void;
  /** Resolves when everything noted so far is in the database. */
  settled(): Promise<void>;
}

/** All tokens that are used while one transaction writes share the next one. A use that cannot be written is told to the log and lost. */
export function createTokenUse(deps: { readonly db: Db; readonly clock: Clock; readonly log: Log }): TokenUse {
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
        log.warn({ err: error, tokens: ids.length }, "the times of tokens' last uses were not noted");
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
