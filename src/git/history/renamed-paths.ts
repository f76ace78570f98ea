import { decodeName } from "../objects/names.ts";
import { isResourceLimit } from "../run/resource-limit.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

/** Timeout of rename detection. */
const timeoutMs = 2_000;
const maxOutputBytes = 4 * 1024 * 1024;

const flags = { "-r": true, "-z": true, "--find-renames": true, "--diff-filter": "R", "--name-status": true } as const;

/** New names of files that were renamed between two commits, by their former paths. Empty on timeout. One process on the first call. */
export const renamedPaths = (store: GitStore, fromOid: Oid, toOid: Oid): Promise<ReadonlyMap<string, string>> =>
  store.shared.flights.run(`renames ${store.key} ${fromOid}..${toOid}`, undefined, () => findRenames(store, fromOid, toOid));

async function findRenames(store: GitStore, fromOid: Oid, toOid: Oid): Promise<ReadonlyMap<string, string>> {
  const { cache } = store.shared;
  const key = `${fromOid}..${toOid}`;
  const known = cache.get(store.key, "renames", key);
  if (known !== undefined) return known;
  try {
    const { stdout } = await runGit(store, { name: "diff-tree", flags, revisions: [fromOid, toOid] }, { timeoutMs, maxOutputBytes });
    const renames = readRenames(stdout);
    cache.set(store.key, "renames", key, renames, 2 * stdout.length);
    return renames;
  } catch (error) {
    if (!isResourceLimit(error)) throw error;
    return new Map();
  }
}

/** `R086`, the former path, the new path; each ends with NUL. */
function readRenames(stdout: Buffer): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const fields: string[] = [];
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0, at);
    fields.push(decodeName(stdout.subarray(at, end)));
    at = end + 1;
  }
  for (let at = 0; at + 2 < fields.length; at += 3) renames.set(fields[at + 1] ?? "", fields[at + 2] ?? "");
  return renames;
}
