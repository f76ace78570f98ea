import { refused } from "../../core/errors.ts";
import { encodeName } from "../objects/names.ts";
import { type GitOptions, runGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Oid } from "../types.ts";

/**
 * History queries that need git's own walk: filters, deep pages, counts, and relations between commits. One process each. Concurrent requests share
 * the process that finds the relation of two commits.
 */

export interface HistoryQuery {
  readonly tipOids: readonly Oid[];
  /** Excludes commits reachable from these. */
  readonly notOids?: readonly Oid[];
  /** Only commits that change this file, or a path below this directory, with git's history simplification. */
  readonly path?: string;
  /** Commit dates, inclusive at both ends. */
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

/** Lists commits newest first, as `git log` orders them. @throws ForgeError `refused` for a path that cannot be passed to git */
export async function listCommitOids(store: GitStore, page: HistoryPage): Promise<Oid[]> {
  if (page.tipOids.length === 0 || page.limit === 0 || !(await isPresent(store))) return [];
  return oidLines((await revList(store, page, { "--skip": page.skip, "--max-count": page.limit })).stdout);
}

/** Number of commits that {@link listCommitOids} would list without a limit. */
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

/** The git command for a history walk; it writes one id per line. @throws ForgeError `refused` for a path that cannot be passed to git */
export function historyCommand(query: HistoryQuery, flags: WalkFlags = {}) {
  const walkFlags = { ...flags, "--first-parent": query.firstParent, "--since": gitDate(query.sinceMs), "--until": gitDate(query.untilMs), "--stdin": true };
  const { input, paths } = walkInput(query);
  const command = { name: "rev-list", flags: walkFlags, ...(paths && { paths }) } as const;
  const options: GitOptions = { stdin: input, signal: query.signal, timeoutMs: walkTimeoutMs };
  return { command, options };
}

/**
 * Passes tips and path on standard input, which allows any number of tips and paths that are not valid UTF-8. Standard input is line-based,
 * so a path with a line break goes on the command line, which accepts only valid UTF-8. @throws ForgeError `refused` for a path that fits
 * neither
 */
export function walkInput({ tipOids, notOids = [], path = "" }: HistoryQuery): { readonly input: Buffer; readonly paths?: readonly string[] } {
  const revisions = Buffer.from(`${[...tipOids, ...notOids.map((oid) => `^${oid}`)].join("\n")}\n`);
  if (path === "") return { input: revisions };
  if (!/[\n\0]/.test(path)) return { input: Buffer.concat([revisions, Buffer.from("--\n"), encodeName(path), Buffer.from("\n")]) };
  if (!isWalkable(path)) throw refused("the history of a path with this name cannot be listed");
  return { input: revisions, paths: [path] };
}

/** Whether git can walk the history of a path. It cannot if the name contains a line break and is not valid UTF-8. */
export function isWalkable(path: string): boolean {
  return !/[\n\0]/.test(path) || (!path.includes("\0") && encodeName(path).toString("utf8") === path);
}

/** Git parses a bare number as seconds only from 1973 on; with a time zone it accepts any number. Dates before 1970 cannot be compared. */
function gitDate(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : `@${Math.max(0, Math.floor(timeMs / 1000))} +0000`;
}

function oidLines(output: Buffer): Oid[] {
  return output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}

/** A best common ancestor (any of them, if there are several); undefined for unrelated histories. */
export async function mergeBase(store: GitStore, oneOid: Oid, otherOid: Oid, signal?: AbortSignal): Promise<Oid | undefined> {
  if (oneOid === otherOid) return oneOid;
  const result = await related(store, oneOid, otherOid, {}, signal);
  return result.code === 0 ? oidLines(result.stdout)[0] : undefined;
}

/** All best common ancestors: several for criss-cross histories, none for unrelated ones. */
export async function mergeBases(store: GitStore, oneOid: Oid, otherOid: Oid, signal?: AbortSignal): Promise<readonly Oid[]> {
  const result = await related(store, oneOid, otherOid, { "--all": true }, signal);
  return result.code === 0 ? oidLines(result.stdout) : [];
}

/** Whether `ancestorOid` equals `descendantOid` or is one of its ancestors. */
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
  return store.shared.flights.run(`merge base ${store.key} ${oneOid} ${otherOid} ${Object.keys(flags)}`, signal, (shared) =>
    runGit(store, { name: "merge-base", flags, revisions: [oneOid, otherOid] }, { accept: [0, 1], signal: shared, timeoutMs: walkTimeoutMs }),
  );
}

export interface Divergence {
  /** Commits only reachable from the head. */
  readonly ahead: number;
  /** Commits only reachable from the base. */
  readonly behind: number;
}

export async function divergence(store: GitStore, baseOid: Oid, headOid: Oid, signal?: AbortSignal): Promise<Divergence> {
  if (baseOid === headOid) return { ahead: 0, behind: 0 };
  const command = { name: "rev-list", flags: { "--left-right": true, "--count": true }, revisions: [`${baseOid}...${headOid}`] } as const;
  const { stdout } = await runGit(store, command, { signal, timeoutMs: walkTimeoutMs });
  const [behind, ahead] = stdout.toString("latin1").trim().split("\t").map(Number);
  return { ahead: ahead ?? 0, behind: behind ?? 0 };
}

/** Whether a commit is reachable from any of the tips. */
export async function isReachable(store: GitStore, oid: Oid, tipOids: readonly Oid[], signal?: AbortSignal): Promise<boolean> {
  if (tipOids.includes(oid)) return true;
  if (tipOids.length === 0) return false;
  return (await listCommitOids(store, { tipOids: [oid], notOids: tipOids, limit: 1, signal })).length === 0;
}
