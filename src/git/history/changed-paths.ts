import { isForgeError, tooLarge } from "../../core/errors.ts";
import { emptyTreeOid } from "../objects/hash.ts";
import { decodeName } from "../objects/names.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

const maxOutputBytes = 64 * 1024 * 1024;

const pathFlags = { "-r": true, "-z": true, "--name-only": true, "--no-renames": true, "--no-commit-id": true } as const;

/**
 * Every path that differs between two commits, whatever their number; a rename is two. Contents are not looked at.
 * @param fromOid undefined: everything that the other one holds
 * @throws ForgeError `too_large` where the names alone are more than can be judged
 */
export function changedPaths(store: GitStore, fromOid: Oid | undefined, toOid: Oid, signal?: AbortSignal): Promise<readonly string[]> {
  const revisions = [fromOid ?? emptyTreeOid(store.format), toOid];
  return readPaths(runGit(store, { name: "diff-tree", flags: pathFlags, revisions }, { signal, maxOutputBytes }));
}

/**
 * Every path that one of some commits changes by itself: a merge, where it differs from all that it joins.
 * @throws ForgeError as {@link changedPaths}
 */
export async function committedPaths(store: GitStore, oids: readonly Oid[], signal?: AbortSignal): Promise<readonly string[]> {
  if (oids.length === 0) return [];
  const flags = { ...pathFlags, "--stdin": true, "--root": true, "--cc": true } as const;
  const stdin = oids.map((oid) => `${oid}\n`).join("");
  return [...new Set(await readPaths(runGit(store, { name: "diff-tree", flags }, { signal, maxOutputBytes, stdin })))];
}

async function readPaths(run: ReturnType<typeof runGit>): Promise<readonly string[]> {
  const { stdout } = await run.catch((error: unknown) => {
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
