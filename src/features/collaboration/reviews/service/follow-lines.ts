import { diffLines, followLine, type LineChange } from "../../../../core/line-diff.ts";
import { renamedPaths } from "../../../../git/history/renamed-paths.ts";
import { findEntry, readBlob, readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { LineLocation, LineRange, PresentLines } from "../model.ts";
import { type PullEnds, shownOid } from "./pull-ends.ts";

/** Lines of larger files are not followed. */
const maxFileBytes = 512 * 1024;

/** Lines of a file in a commit. */
interface FileLines {
  readonly blobOid: Oid;
  /** Undefined: not text, or too large. */
  readonly lines: readonly string[] | undefined;
}

interface Walk {
  readonly fromOid: Oid;
  readonly toOid: Oid;
}

/** A file followed between two commits: its new path, and how its lines map. */
interface FollowedFile {
  readonly path: string;
  readonly changes: readonly LineChange[];
}

/** Reads files of commits and maps them between commits, each once. */
export interface LineFollower {
  /** Undefined: missing, not text, or too large. */
  linesOf(commitOid: Oid, path: string): Promise<readonly string[] | undefined>;
  /** Path of a file in another commit; undefined: it does not exist there. */
  pathIn(walk: Walk, path: string): Promise<string | undefined>;
  /** Position of a line in another commit; undefined: it does not exist there. */
  follow(walk: Walk, place: Pick<LineLocation, "path" | "line">): Promise<Pick<LineLocation, "path" | "line"> | undefined>;
  /** Remaining lines of a range in another commit; undefined: the last line does not exist there. */
  followRange(walk: Walk, range: PresentLines): Promise<PresentLines | undefined>;
}

export function createLineFollower(store: GitStore): LineFollower {
  const read = once(async (commitOid: Oid, path: string): Promise<FileLines | undefined> => {
    const commit = await readCommit(store, commitOid);
    const entry = commit && (await findEntry(store, commit.treeOid, path));
    if (entry === undefined || entry.mode === "040000" || entry.mode === "160000") return undefined;
    const data = (await readBlob(store, entry.oid, maxFileBytes))?.data;
    return { blobOid: entry.oid, lines: data === undefined || data.includes(0) ? undefined : linesIn(data) };
  });
  const pathIn = async ({ fromOid, toOid }: Walk, path: string): Promise<string | undefined> => {
    if (fromOid === toOid || (await read(toOid, path)) !== undefined) return path;
    return (await read(fromOid, path)) === undefined ? undefined : (await renamedPaths(store, fromOid, toOid)).get(path);
  };
  const followFile = once(async (fromOid: Oid, toOid: Oid, path: string): Promise<FollowedFile | undefined> => {
    const present = await pathIn({ fromOid, toOid }, path);
    const from = await read(fromOid, path);
    const to = present === undefined ? undefined : await read(toOid, present);
    if (present === undefined || from?.lines === undefined || to?.lines === undefined) return undefined;
    return { path: present, changes: from.blobOid === to.blobOid ? [] : diffLines(from.lines, to.lines) };
  });
  const followRange = async ({ fromOid, toOid }: Walk, { path, startLine, line }: PresentLines): Promise<PresentLines | undefined> => {
    if (line === 0) {
      const present = await pathIn({ fromOid, toOid }, path);
      return present === undefined ? undefined : { path: present, startLine, line };
    }
    const file = await followFile(fromOid, toOid, path);
    const length = (await read(fromOid, path))?.lines?.length ?? 0;
    const last = file === undefined || line > length ? undefined : followLine(file.changes, line);
    if (file === undefined || last === undefined) return undefined;
    let first: number | undefined;
    for (let at = startLine; at < line && first === undefined; at += 1) first = followLine(file.changes, at);
    return { path: file.path, startLine: first ?? last, line: last };
  };
  return {
    linesOf: async (commitOid, path) => (await read(commitOid, path))?.lines,
    pathIn,
    follow: (walk, { path, line }) => followRange(walk, { path, startLine: line, line }),
    followRange,
  };
}

function linesIn(data: Buffer): readonly string[] {
  const lines = data.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Memoizes a function by its string arguments. */
function once<A extends readonly string[], T>(work: (...texts: A) => Promise<T>): (...texts: A) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (...texts) => {
    const key = texts.join(" ");
    const found = known.get(key) ?? work(...texts);
    known.set(key, found);
    return found;
  };
}

/** Current lines of comments, in order; undefined: the last line was removed. Free for comments on the current head and base. */
export async function followAll(
  store: GitStore,
  ends: PullEnds,
  comments: readonly (LineRange & { readonly writtenOid: Oid })[],
): Promise<readonly (PresentLines | undefined)[]> {
  const follower = createLineFollower(store);
  const present: (PresentLines | undefined)[] = [];
  for (const { path, side, startLine, line, writtenOid } of comments) {
    const toOid = shownOid(ends, side);
    const range = { path, startLine, line };
    present.push(writtenOid === toOid ? range : await follower.followRange({ fromOid: writtenOid, toOid }, range));
  }
  return present;
}
