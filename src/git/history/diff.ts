import { refused } from "../../core/errors.ts";
import { emptyTreeOid } from "../objects/hash.ts";
import { decodeName } from "../objects/names.ts";
import { createFieldSplitter } from "../run/nul-fields.ts";
import { isResourceLimit } from "../run/resource-limit.ts";
import { type GitInput, type GitOptions, type GitStream, streamGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Commit, Oid } from "../types.ts";
import { createDiffParser, type FileChanges } from "./diff-parse.ts";

/** Differences between trees: lists of changed files with line counts, and unified text as a stream. */

export interface ChangesOptions {
  /** Detect renames by content; otherwise a rename is a removal and an addition. */
  readonly renames?: boolean;
  /** Maximum number of files listed per pair; the sums count all. */
  readonly maxFiles?: number;
  /** Number of leading files left out of the list. */
  readonly skipFiles?: number;
  readonly whitespace?: Whitespace;
  /** The diff is aborted after this time. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Whitespace differences to ignore. */
export type Whitespace = "show-all" | "ignore-all" | "ignore-change" | "ignore-eol";

const defaultMaxFiles = 3000;
/** Git lists all changes of a pair in memory before it writes the first one, so only a timeout bounds it. */
const defaultTimeoutMs = 8_000;

const unlisted: FileChanges = { files: [], additions: 0, deletions: 0, fileCount: 0, truncated: true };
const unchanged: FileChanges = { files: [], additions: 0, deletions: 0, fileCount: 0, truncated: false };

type DiffedCommit = Pick<Commit, "oid" | "parentOids">;

/**
 * Changes of each commit against its first parent, or against the empty tree. One process for all uncached commits.
 * A commit with too many changes to list in time has an empty list and is `truncated`.
 */
export async function commitChanges(store: GitStore, commits: readonly DiffedCommit[], options: ChangesOptions = {}): Promise<Map<Oid, FileChanges>> {
  const cacheable = options.maxFiles === undefined && (options.whitespace ?? "show-all") === "show-all";
  const kind = options.renames === true ? "changesWithRenames" : "changes";
  const { cache } = store.shared;
  const found = new Map<Oid, FileChanges>();
  const missing: DiffedCommit[] = [];
  for (const commit of commits) {
    const known = cacheable ? cache.get(store.key, kind, commit.oid) : undefined;
    if (known === undefined) missing.push(commit);
    else found.set(commit.oid, known);
  }
  if (missing.length === 0) return found;
  const make = (signal = options.signal) => diffCommits(store, missing, { ...options, signal });
  const key = `${kind} ${store.key} ${missing.map(({ oid }) => oid).join(" ")}`;
  const made = cacheable ? await store.shared.flights.run(key, options.signal, make) : await make();
  for (const [oid, changes] of made) {
    found.set(oid, changes);
    if (cacheable) cache.set(store.key, kind, oid, changes, sizeOf(changes));
  }
  return found;
}

/** Approximate size of a change list in memory. */
function sizeOf(changes: FileChanges): number {
  let sizeBytes = 200;
  for (const file of changes.files) sizeBytes += 400 + 2 * (file.path.length + (file.oldPath?.length ?? 0));
  return sizeBytes;
}

async function diffCommits(store: GitStore, commits: readonly DiffedCommit[], options: ChangesOptions): Promise<Map<Oid, FileChanges>> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const together = await runDiffTree(store, { stdin: pairLines(commits), timeoutMs }, options);
  // After a timeout the slow commit is unknown: each remaining commit gets its own small share of the total time.
  const deadline = performance.now() + timeoutMs;
  const found = new Map<Oid, FileChanges>();
  for (const commit of commits) {
    let changes = together.changes.get(commit.oid);
    if (changes === undefined && together.complete) changes = unchanged;
    if (changes === undefined && performance.now() < deadline) {
      const alone = await runDiffTree(store, { stdin: pairLines([commit]), timeoutMs: timeoutMs / 4 }, options);
      if (alone.complete) changes = alone.changes.get(commit.oid) ?? unchanged;
    }
    found.set(commit.oid, changes ?? unlisted);
  }
  return found;
}

/** One `<commit> <parent>` pair per line; without a parent git compares with the empty tree. */
function pairLines(commits: readonly DiffedCommit[]): string {
  return commits.map((commit) => `${[commit.oid, ...commit.parentOids.slice(0, 1)].join(" ")}\n`).join("");
}

/**
 * Changes between two commits or trees, or from the empty tree if `fromOid` is undefined. @throws ForgeError `refused` if the diff is too
 * large
 */
export async function treeChanges(store: GitStore, fromOid: Oid | undefined, toOid: Oid, options: ChangesOptions = {}): Promise<FileChanges> {
  const revisions = [fromOid ?? emptyTreeOid(store.format), toOid];
  const { changes, complete } = await runDiffTree(store, { revisions, timeoutMs: options.timeoutMs ?? defaultTimeoutMs }, options);
  if (!complete) throw refused("the difference is too large to be listed", { reason: "diff_too_large" });
  return changes.get("") ?? unchanged;
}

export interface KeptChangesOptions extends Omit<ChangesOptions, "renames" | "skipFiles"> {
  /** Number of files to return. */
  readonly maxFiles: number;
}

/** Number of files listed for the first request, and if it needs more, so that most pages are cached with an earlier one. */
const listedFiles = { first: 200, more: 10_000 };

/**
 * Cached variant of {@link treeChanges} with renames: one process for the first call. May return more files than requested.
 * @throws ForgeError as {@link treeChanges}
 */
export async function keptTreeChanges(store: GitStore, fromOid: Oid | undefined, toOid: Oid, options: KeptChangesOptions): Promise<FileChanges> {
  const { cache } = store.shared;
  const key = `${fromOid ?? ""}..${toOid} ${options.whitespace ?? "show-all"}`;
  const known = cache.get(store.key, "pairChanges", key);
  if (known !== undefined && (!known.truncated || known.files.length >= options.maxFiles)) return known;
  const maxFiles = Math.max(options.maxFiles, known === undefined && options.maxFiles <= listedFiles.first ? listedFiles.first : listedFiles.more);
  return store.shared.flights.run(`pair changes ${store.key} ${key} ${maxFiles}`, options.signal, async (signal) => {
    const changes = await treeChanges(store, fromOid, toOid, { ...options, signal, renames: true, maxFiles });
    cache.set(store.key, "pairChanges", key, changes, sizeOf(changes));
    return changes;
  });
}

interface DiffTreeRun {
  readonly stdin?: GitInput;
  readonly revisions?: readonly Oid[];
  readonly timeoutMs: number;
}

/** Returns all pairs compared before the timeout; a pair without changes has no entry. */
async function runDiffTree(store: GitStore, run: DiffTreeRun, options: ChangesOptions): Promise<{ changes: Map<Oid, FileChanges>; complete: boolean }> {
  const changes = new Map<Oid, FileChanges>();
  const parser = createDiffParser({
    maxFiles: options.maxFiles ?? defaultMaxFiles,
    skipFiles: options.skipFiles ?? 0,
    decodeName,
    onChanges: (header, found) => changes.set(header, found),
  });
  const { stdout } = await streamGit(
    store,
    {
      name: "diff-tree",
      flags: {
        "--stdin": run.stdin !== undefined,
        "-z": true,
        "-r": true,
        "--root": true,
        "--raw": true,
        "--numstat": true,
        "--no-abbrev": true,
        ...renameFlags(options.renames),
        ...whitespaceFlags(options.whitespace),
        ...plainFlags,
      },
      ...(run.revisions === undefined ? {} : { revisions: run.revisions }),
    },
    { stdin: run.stdin, signal: options.signal, timeoutMs: run.timeoutMs },
  );
  const splitter = createFieldSplitter();
  try {
    for await (const chunk of stdout) for (const field of splitter.push(chunk)) parser.push(field);
  } catch (error) {
    if (!isResourceLimit(error)) throw error;
    return { changes, complete: false };
  }
  parser.end();
  return { changes, complete: true };
}

export interface DiffTextOptions {
  readonly renames?: boolean;
  /** Lines around each change; git's default is 3. */
  readonly contextLines?: number;
  /** Write binary files as applicable patches instead of a remark. */
  readonly binary?: boolean;
  readonly whitespace?: Whitespace;
  /** Only these paths, matched literally by the old or the new name. */
  readonly paths?: readonly string[] | undefined;
  /** Patches end with the version of git. */
  readonly hasSignature?: boolean;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Git writes nothing while it lists the changes. A list that takes longer than this is too long to read. */
const textIdleMs = 15_000;

/**
 * Streams the unified diff between two commits or trees, from the empty tree if `fromOid` is undefined. Exceeding a limit fails the stream.
 */
export async function streamDiff(store: GitStore, fromOid: Oid | undefined, toOid: Oid, options: DiffTextOptions = {}): Promise<GitStream> {
  return streamGit(
    store,
    {
      name: "diff-tree",
      flags: {
        "--patch": true,
        "-r": true,
        "--binary": options.binary,
        "--unified": options.contextLines,
        ...renameFlags(options.renames ?? true),
        ...whitespaceFlags(options.whitespace),
        ...plainFlags,
      },
      revisions: [fromOid ?? emptyTreeOid(store.format), toOid],
      ...(options.paths === undefined ? {} : { paths: options.paths }),
    },
    textLimits(options),
  );
}

/**
 * Streams the commits in `fromOid..toOid` as emails for `git am`, oldest first, without merges. Only the commit `toOid` itself if `fromOid`
 * is undefined.
 */
export async function streamPatches(store: GitStore, fromOid: Oid | undefined, toOid: Oid, options: DiffTextOptions = {}): Promise<GitStream> {
  return streamGit(
    store,
    {
      name: "format-patch",
      flags: {
        "--stdout": true,
        "--no-signature": options.hasSignature !== true,
        "--max-count": fromOid === undefined ? 1 : undefined,
        "--binary": options.binary,
        "--unified": options.contextLines,
        ...renameFlags(options.renames ?? true),
        ...whitespaceFlags(options.whitespace),
        ...plainFlags,
      },
      revisions: [fromOid === undefined ? toOid : `${fromOid}..${toOid}`],
    },
    textLimits(options),
  );
}

function textLimits(options: DiffTextOptions): GitOptions {
  return { signal: options.signal, idleMs: textIdleMs, ...(options.maxBytes === undefined ? {} : { maxOutputBytes: options.maxBytes }) };
}

/** Repository attributes must not start external programs. */
const plainFlags = { "--no-ext-diff": true, "--no-textconv": true } as const;

function renameFlags(renames = false) {
  return renames ? { "--find-renames": true } : { "--no-renames": true };
}

function whitespaceFlags(whitespace: Whitespace = "show-all") {
  return {
    "--ignore-all-space": whitespace === "ignore-all",
    "--ignore-space-change": whitespace === "ignore-change",
    "--ignore-space-at-eol": whitespace === "ignore-eol",
  };
}
