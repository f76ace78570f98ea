import { isForgeError, tooLarge } from "../core/errors.ts";
import { emptyTreeOid } from "./hash.ts";
import { decodeName } from "./names.ts";
import { runGit } from "./runner.ts";
import type { GitStore } from "./stores.ts";
import type { Oid } from "./types.ts";

const maxOutputBytes = 64 * 1024 * 1024;

/**
 * Every path that differs between two commits, whatever their number; a rename is two. Contents are not looked at.
 * @param fromOid undefined: everything that the other one holds
 * @throws ForgeError `too_large` where the names alone are more than can be judged
 */
export async function changedPaths(store: GitStore, fromOid: Oid | undefined, toOid: Oid, signal?: AbortSignal): Promise<readonly string[]> {
  const flags = { "-r": true, "-z": true, "--name-only": true, "--no-renames": true, "--no-commit-id": true } as const;
  const revisions = [fromOid ?? emptyTreeOid(store.format), toOid];
  const { stdout } = await runGit(store, { name: "diff-tree", flags, revisions }, { signal, maxOutputBytes }).catch((error: unknown) => {
    if (isForgeError(error, "unavailable") && error.options.meta?.reason === "output_limit") throw tooLarge("more files change than can be looked at");
    throw error;
  });
  const paths: string[] = [];
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0, at);
    paths.push(decodeName(stdout.subarray(at, end)));
    at = end + 1;
  }
  return paths;
}
