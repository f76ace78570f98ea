import { isForgeError, tooLarge } from "../../core/errors.ts";
import { emptyTreeOid } from "../objects/hash.ts";
import { decodeName } from "../objects/names.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

const maxOutputBytes = 64 * 1024 * 1024;

const pathFlags = { "-r": true, "-z": true, "--name-only": true, "--no-renames": true, "--no-commit-id": true } as const;

/**
 * Lists every path that differs between two commits, without a limit on their number. A rename counts as two paths. Contents are not
 * compared.
 * @param fromOid undefined: list everything in `toOid`
 * @throws ForgeError `too_large` if the names alone exceed the limit
 */
export function changedPaths(store: GitStore, fromOid: Oid | undefined, toOid: Oid, signal?: AbortSignal): Promise<readonly string[]> {
  const revisions = [fromOid ?? emptyTreeOid(store.format), toOid];
  return readPaths(runGit(store, { name: "diff-tree", flags: pathFlags, revisions }, { signal, maxOutputBytes }));
}

/**
 * Lists every path that at least one of the commits changes. For a merge: paths that differ from all parents.
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
    if (isForgeError(error, "unavailable") && error.options.meta?.reason === "output_limit") throw tooLarge("too many files change to be checked");
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
