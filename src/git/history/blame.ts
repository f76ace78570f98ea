import { refused } from "../../core/errors.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

/** Lines that the same commit wrote, one after the other. */
export interface BlamedLines {
  readonly oid: Oid;
  /** Of the file that was asked about, from 1. */
  readonly startLine: number;
  readonly count: number;
  /** Where the file was before that commit, and what it was called; undefined where it began with it, or its name cannot be told. */
  readonly previous: { readonly oid: Oid; readonly path: string } | undefined;
}

const timeoutMs = 20_000;
const maxOutputBytes = 64 * 1024 * 1024;

/**
 * Which commit wrote which lines of a file (git-blame, porcelain format), in their order. One process, its time and memory bounded.
 * @throws ForgeError `refused` for a path that git cannot be asked about, `unavailable` where it takes too long
 */
export async function blame(store: GitStore, commitOid: Oid, path: string, signal?: AbortSignal): Promise<BlamedLines[]> {
  if (path === "" || path.includes("\0") || !path.isWellFormed()) throw refused("who wrote a file with such a name cannot be found out");
  const command = { name: "blame", flags: { "--porcelain": true }, revisions: [commitOid], paths: [path] } as const;
  const { stdout } = await runGit(store, command, { signal, timeoutMs, maxOutputBytes });
  return parseBlame(stdout.toString("latin1"));
}

/**
 * Of each line `<oid> <line then> <line now>[ <lines that follow>]`, then facts of the commit, then the text behind a tab.
 * @param porcelain each byte a character: the texts of lines can be anything
 */
export function parseBlame(porcelain: string): BlamedLines[] {
  const found: { oid: Oid; startLine: number; count: number }[] = [];
  const previous = new Map<Oid, BlamedLines["previous"]>();
  for (const [, oid = "", line, oidBefore, pathBefore = ""] of porcelain.matchAll(
    /^(?:([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+)(?: \d+)?|previous ([0-9a-f]{40}|[0-9a-f]{64}) (.+))$/gm,
  )) {
    const last = found.at(-1);
    // A name that git puts into quotes is left alone.
    if (oidBefore !== undefined) {
      if (last !== undefined && !pathBefore.startsWith('"')) previous.set(last.oid, { oid: oidBefore, path: Buffer.from(pathBefore, "latin1").toString() });
    } else if (last !== undefined && last.oid === oid && last.startLine + last.count === Number(line)) last.count += 1;
    else found.push({ oid, startLine: Number(line), count: 1 });
  }
  return found.map((lines) => ({ ...lines, previous: previous.get(lines.oid) }));
}
