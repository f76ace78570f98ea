import { refused } from "../../core/errors.ts";
import { encodeName } from "../objects/names.ts";
import { type GitOptions, runGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Oid } from "../types.ts";

/** History that needs git's own walk: filters, deep pages, counts, and how two commits are related. One process each. */

export interface HistoryQuery {
  readonly tipOids: readonly Oid[];
  /** What these reach is left out. */
  readonly notOids?: readonly Oid[];
  /** Only commits that change this file or anything below this directory, with git's history simplification. */
  readonly path?: string;
  /** Commit dates, both ends included. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly firstParent?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface HistoryPage extends HistoryQuery {
  readonly skip?: number;
  readonly limit: number;
}

const walkTimeoutMs = 30_000;

/** Commits newest first, as `git log` orders them. @throws ForgeError `refused` for a path that git cannot be asked about */
export async function listCommitOids(store: GitStore, page: HistoryPage): Promise<Oid[]> {
  if (page.tipOids.length === 0 || page.limit === 0 || !(await isPresent(store))) return [];
  return oidLines((await revList(store, page, { "--skip": page.skip, "--max-count": page.limit })).stdout);
}

/** How many commits {@link listCommitOids} would list without a limit. */
export async function countCommits(store: GitStore, query: HistoryQuery): Promise<number> {
  if (query.tipOids.length === 0 || !(await isPresent(store))) return 0;
  return Number((await revList(store, query, { "--count": true })).stdout.toString("latin1").trim());
}

interface WalkFlags {
  readonly "--skip"?: number | undefined;
  readonly "--max-count"?: number | undefined;
  readonly "--count"?: boolean;
  readonly "--date-order"?: boolean;
  readonly "--parents"?: boolean;
  readonly "--no-merges"?: boolean;
  readonly "--no-commit-header"?: boolean;
  readonly "--format"?: string;
}

async function revList(store: GitStore, query: HistoryQuery, flags: WalkFlags) {
  const { command, options } = historyCommand(query, flags);
  return runGit(store, command, options);
}

/** The walk of a history, one id a line. @throws ForgeError `refused` for a path that git cannot be asked about */
export function historyCommand(query: HistoryQuery, flags: WalkFlags = {}) {
  const walkFlags = { ...flags, "--first-parent": query.firstParent, "--since": gitDate(query.sinceMs), "--until": gitDate(query.untilMs), "--stdin": true };
  const { input, paths } = walkInput(query);
  const command = { name: "rev-list", flags: walkFlags, ...(paths && { paths }) } as const;
  const options: GitOptions = { stdin: input, signal: query.signal, timeoutMs: walkTimeoutMs };
  return { command, options };
}

/**
 * Tips and path by standard input: any number of tips, and a path with bytes that are no UTF-8. It has a path in a line, so one with a
 * line break goes on the command line, which takes text alone. @throws ForgeError `refused` for a path that fits neither
 */
export function walkInput({ tipOids, notOids = [], path = "" }: HistoryQuery): { readonly input: Buffer; readonly paths?: readonly string[] } {
  const revisions = Buffer.from(`${[...tipOids, ...notOids.map((oid) => `^${oid}`)].join("\n")}\n`);
  if (path === "") return { input: revisions };
  if (!/[\n\0]/.test(path)) return { input: Buffer.concat([revisions, Buffer.from("--\n"), encodeName(path), Buffer.from("\n")]) };
  if (!isWalkable(path)) throw refused("the history of a path with such a name cannot be listed");
  return { input: revisions, paths: [path] };
}

/** Whether git can be asked for the history of a path: not where its name has both a line break and bytes that are no text. */
export function isWalkable(path: string): boolean {
  return !/[\n\0]/.test(path) || (!path.includes("\0") && encodeName(path).toString("utf8") === path);
}

/** Git reads a bare number as seconds only from 1973 on; with a zone it reads any. Before 1970 there is nothing it can compare with. */
function gitDate(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : `@${Math.max(0, Math.floor(timeMs / 1000))} +0000`;
}

function oidLines(output: Buffer): Oid[] {
  return output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}

/** The best common ancestor, one of them where there are several; undefined for unrelated histories. */
export async function mergeBase(store: GitStore, oneOid: Oid, otherOid: Oid, signal?: AbortSignal): Promise<Oid | undefined> {
  if (oneOid === otherOid) return oneOid;
  const result = await related(store, oneOid, otherOid, {}, signal);
  return result.code === 0 ? oidLines(result.stdout)[0] : undefined;
}

/** All best common ancestors: several where histories cross, none where they are unrelated. */
export async function mergeBases(store: GitStore, oneOid: Oid, otherOid: Oid, signal?: AbortSignal): Promise<readonly Oid[]> {
  const result = await related(store, oneOid, otherOid, { "--all": true }, signal);
  return result.code === 0 ? oidLines(result.stdout) : [];
}

/** Whether `descendantOid` is `ancestorOid` or leads to it through its parents. */
export async function isAncestor(store: GitStore, ancestorOid: Oid, descendantOid: Oid, signal?: AbortSignal): Promise<boolean> {
  if (ancestorOid === descendantOid) return true;
  return (await related(store, ancestorOid, descendantOid, { "--is-ancestor": true }, signal)).code === 0;
}

function related(
  store: GitStore,
  oneOid: Oid,
  otherOid: Oid,
  flags: { readonly "--is-ancestor"?: boolean; readonly "--all"?: boolean },
  signal: AbortSignal | undefined,
) {
  const options: GitOptions = { accept: [0, 1], signal, timeoutMs: walkTimeoutMs };
  return runGit(store, { name: "merge-base", flags, revisions: [oneOid, otherOid] }, options);
}

export interface Divergence {
  /** Commits that only the head has. */
  readonly ahead: number;
  /** Commits that only the base has. */
  readonly behind: number;
}

export async function divergence(store: GitStore, baseOid: Oid, headOid: Oid, signal?: AbortSignal): Promise<Divergence> {
  if (baseOid === headOid) return { ahead: 0, behind: 0 };
  const command = { name: "rev-list", flags: { "--left-right": true, "--count": true }, revisions: [`${baseOid}...${headOid}`] } as const;
  const { stdout } = await runGit(store, command, { signal, timeoutMs: walkTimeoutMs });
  const [behind, ahead] = stdout.toString("latin1").trim().split("\t").map(Number);
  return { ahead: ahead ?? 0, behind: behind ?? 0 };
}

/** Whether a commit is in the history of any of these tips. */
export async function isReachable(store: GitStore, oid: Oid, tipOids: readonly Oid[], signal?: AbortSignal): Promise<boolean> {
  if (tipOids.includes(oid)) return true;
  if (tipOids.length === 0) return false;
  return (await listCommitOids(store, { tipOids: [oid], notOids: tipOids, limit: 1, signal })).length === 0;
}
