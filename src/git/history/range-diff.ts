import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

const timeoutMs = 20_000;

export interface RangeDiffQuery {
  /** Excludes the commits that both versions share with it. */
  readonly baseOid: Oid;
  readonly formerOid: Oid;
  readonly presentOid: Oid;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares two versions of a series of commits (git-range-diff): which commits were kept, changed, added and dropped, each with the difference of its
 * changes. One process. The caller bounds the numbers of commits, because the cost grows with their product.
 * @throws ForgeError `unavailable` on timeout, and if the result is larger than `maxBytes` (`meta.reason`: `output_limit`)
 */
export async function rangeDiff(store: GitStore, { baseOid, formerOid, presentOid, maxBytes, signal }: RangeDiffQuery): Promise<string> {
  const command = { name: "range-diff", flags: { "--no-color": true }, revisions: [baseOid, formerOid, presentOid] } as const;
  return (await runGit(store, command, { signal, timeoutMs, maxOutputBytes: maxBytes })).stdout.toString("utf8");
}
