import { hunkDownTo, lastLines, lengthOf } from "../../../../core/line-diff.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { LineLocation, LineRange } from "../model.ts";
import { createLineFollower, type LineFollower } from "./follow-lines.ts";
import { type PullEnds, shownOid } from "./pull-ends.ts";

/** Lines stored with a comment on one line; a comment on several lines stores all of them. */
const hunkLines = 4;
/** Context lines around a change, as in git's diffs. */
const contextLines = 3;
/** Maximum number of characters stored per line, and per comment. */
const lineLength = 1_000;
const hunkLength = 20_000;
/** Maximum number of commits searched for the origin of a line. */
const maxCommits = 200;

/** Stored data of commented lines. */
export interface PlacedLine extends LineRange {
  readonly writtenOid: Oid;
  readonly commitOid: Oid;
  readonly hunk: string;
}

/**
 * Reads the commented lines: the diff up to each, and the commit that last changed the last line. A missing line has neither.
 * A line on the old side of a renamed file can be given by either name, and is stored by the old one.
 */
export async function placeLines(store: GitStore, ends: PullEnds, ranges: readonly LineRange[]): Promise<readonly PlacedLine[]> {
  const follower = createLineFollower(store);
  const placed: PlacedLine[] = [];
  for (const range of ranges) placed.push(await placeLine(store, follower, ends, range));
  return placed;
}

async function placeLine(store: GitStore, follower: LineFollower, ends: PullEnds, range: LineRange): Promise<PlacedLine> {
  const { side, startLine, line } = range;
  const names = await namesOf(follower, ends, range);
  const newer = names.newer === undefined ? undefined : await follower.linesOf(ends.headOid, names.newer);
  const older = names.older === undefined || ends.mergeBaseOid === undefined ? undefined : await follower.linesOf(ends.mergeBaseOid, names.older);
  const writtenOid = shownOid(ends, side);
  if (line === 0) return { ...range, path: (side === "new" ? names.newer : names.older) ?? range.path, writtenOid, commitOid: writtenOid, hunk: "" };
  const [lines, path = range.path] = side === "new" ? [newer, names.newer] : [older, names.older];
  if (lines === undefined || line > lines.length) return { ...range, writtenOid, commitOid: writtenOid, hunk: "" };
  const hunk = hunkDownTo(older ?? [], newer ?? [], side, line, Math.max(contextLines, line - startLine));
  const commitOid = side === "new" ? await originOf(store, follower, ends, { path, line }) : writtenOid;
  const length = Math.max(hunkLines, lengthOf(hunk, side, line - startLine + 1));
  return { ...range, path, writtenOid, commitOid, hunk: shorten(lastLines(hunk, length)) };
}

interface FileNames {
  readonly older: string | undefined;
  readonly newer: string | undefined;
}

/** The names of a file on both sides. */
async function namesOf(follower: LineFollower, { headOid, mergeBaseOid }: PullEnds, { path, side }: LineLocation): Promise<FileNames> {
  if (mergeBaseOid === undefined) return { older: undefined, newer: path };
  const older = await follower.pathIn({ fromOid: headOid, toOid: mergeBaseOid }, path);
  if (side === "new") return { older, newer: path };
  return { older: older ?? path, newer: await follower.pathIn({ fromOid: mergeBaseOid, toOid: headOid }, older ?? path) };
}

function shorten(hunk: string): string {
  const lines = hunk.split("\n");
  const length = Math.min(lineLength, Math.floor(hunkLength / lines.length));
  return lines.map((line) => line.slice(0, length)).join("\n");
}

/** The commit of a pull request that last changed a line of its head; the merge base for an older line. */
async function originOf(
  store: GitStore,
  follower: LineFollower,
  { headOid, mergeBaseOid }: PullEnds,
  headPlace: Pick<LineLocation, "path" | "line">,
): Promise<Oid> {
  let oid = headOid;
  let place = headPlace;
  for (let steps = 0; steps < maxCommits && oid !== mergeBaseOid; steps += 1) {
    const commit = await readCommit(store, oid);
    let parent: { readonly oid: Oid; readonly place: Pick<LineLocation, "path" | "line"> } | undefined;
    for (const parentOid of commit?.parentOids ?? []) {
      const followed = await follower.follow({ fromOid: oid, toOid: parentOid }, place);
      if (followed === undefined) continue;
      parent = { oid: parentOid, place: followed };
      break;
    }
    if (parent === undefined) return oid;
    ({ oid, place } = parent);
  }
  return oid;
}
