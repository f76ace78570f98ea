import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

const timeoutMs = 20_000;

/**
 * Full names of the branches and tags that contain a commit, newest first. One process; git stops walking at commits that are older by their
 * generation.
 * @param store with a snapshot of its refs
 */
export async function containingRefs(store: GitStore, oid: Oid, limit: number, signal?: AbortSignal): Promise<readonly string[]> {
  const flags = { "--contains": oid, "--count": limit, "--format": "%(refname)", "--sort": "-committerdate" } as const;
  const { stdout } = await runGit(store, { name: "for-each-ref", words: ["refs/heads", "refs/tags"], flags }, { signal, timeoutMs });
  return stdout
    .toString("utf8")
    .split("\n")
    .filter((name) => name !== "");
}
