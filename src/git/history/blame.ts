import { createHash } from "node:crypto";
import { refused } from "../../core/errors.ts";
import { deriveOnce } from "../objects/derived-result.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { BlamedLines, Oid } from "../types.ts";

const timeoutMs = 20_000;
/** Memory of a range, whose ids are shared with other ranges. */
const rangeBytes = 100;
const maxOutputBytes = 64 * 1024 * 1024;

export interface BlameQuery {
  readonly commitOid: Oid;
  readonly path: string;
  readonly ignoredOids?: readonly Oid[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Assigns each line of a file to the commit that last changed it (git-blame, porcelain format), in file order. One process, with bounded
 * time and memory; none if the result is cached.
 * @param query.ignoredOids existing commits whose changes are assigned to the commits before them (`--ignore-rev`)
 * @throws ForgeError `refused` for a path that cannot be passed to git, `unavailable` on timeout
 */
export async function blame(store: GitStore, { commitOid, path, ignoredOids = [], signal }: BlameQuery): Promise<readonly BlamedLines[]> {
  if (path === "" || path.includes("\0") || !path.isWellFormed()) throw refused("blame is not available for this file name");
  const command = { name: "blame", flags: { "--porcelain": true, "--ignore-rev": ignoredOids }, revisions: [commitOid], paths: [path] } as const;
  return deriveOnce(store, {
    kind: "blame",
    id: `${commitOid} ${ignoredOids.length === 0 ? "" : createHash("sha1").update(ignoredOids.join(" ")).digest("hex")} ${path}`,
    signal,
    make: async (shared) => parseBlame((await runGit(store, command, { signal: shared, timeoutMs, maxOutputBytes })).stdout.toString("latin1")),
    sizeOf: (lines) => lines.length * rangeBytes,
  });
}

/**
 * Each line has the form `<oid> <old line> <new line>[ <line count>]`, then the commit's headers, then the content after a tab.
 * @param porcelain decoded as latin1, since lines can hold arbitrary bytes
 */
export function parseBlame(porcelain: string): BlamedLines[] {
  const found: { oid: Oid; startLine: number; count: number }[] = [];
  const previous = new Map<Oid, BlamedLines["previous"]>();
  for (const [, oid = "", line, oidBefore, pathBefore = ""] of porcelain.matchAll(
    /^(?:([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+)(?: \d+)?|previous ([0-9a-f]{40}|[0-9a-f]{64}) (.+))$/gm,
  )) {
    const last = found.at(-1);
    // Names that git quotes are skipped.
    if (oidBefore !== undefined) {
      if (last !== undefined && !pathBefore.startsWith('"')) previous.set(last.oid, { oid: oidBefore, path: Buffer.from(pathBefore, "latin1").toString() });
    } else if (last !== undefined && last.oid === oid && last.startLine + last.count === Number(line)) last.count += 1;
    else found.push({ oid, startLine: Number(line), count: 1 });
  }
  return found.map((lines) => ({ ...lines, previous: previous.get(lines.oid) }));
}
