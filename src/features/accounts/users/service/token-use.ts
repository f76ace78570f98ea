import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db } from "../../../../db/db.ts";
import { touchTokens } from "../store/tokens.ts";

/** Accuracy of a token's time of last use, so that a busy token does not write on each request. */
const exactToMs = 60_000;

/** Records the use of tokens after the requests that use them. */
export interface TokenUse {
  /** Does nothing if a use was recorded within the last minute. */
  note(tokenId: number, lastUsedMs: number): void;
  /** Resolves when everything noted so far is in the database. */
  settled(): Promise<void>;
}

/** Uses during one write transaction share the next one. A use that cannot be written is logged and lost. */
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
