import { diffLines, followLine, hunkDownTo, lastLines } from "../../../core/line-diff.ts";
import { mergeBase } from "../../../git/log.ts";
import { nearMergeBases } from "../../../git/merge-bases.ts";
import { findEntry, readBlob, readCommit } from "../../../git/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import type { FoundPull } from "../../pulls/view.ts";
import type { LinePlace } from "../view.ts";

/** Lines of larger files are not followed. */
const maxFileBytes = 512 * 1024;
/** Lines that are kept with a comment, and characters of each. */
const hunkLines = 4;
const lineLength = 1_000;
/** A line's commit is looked for among so many. */
const maxCommits = 200;

/** A file of a commit as its lines. */
interface FileLines {
  readonly blobOid: Oid;
  readonly lines: readonly string[];
}

/** Reads files of commits, each once. */
interface FileReader {
  /** Undefined: not there, no text, or too large. */
  read(commitOid: Oid, path: string): Promise<FileLines | undefined>;
}

function createFileReader(store: GitStore): FileReader {
  const known = new Map<string, Promise<FileLines | undefined>>();
  const read = async (commitOid: Oid, path: string): Promise<FileLines | undefined> => {
    const commit = await readCommit(store, commitOid);
    const entry = commit && (await findEntry(store, commit.treeOid, path));
    if (entry === undefined || entry.mode === "040000" || entry.mode === "160000") return undefined;
    const data = (await readBlob(store, entry.oid, maxFileBytes))?.data;
    if (data === undefined || data.includes(0)) return undefined;
    const lines = data.toString("utf8").split("\n");
    if (lines.at(-1) === "") lines.pop();
    return { blobOid: entry.oid, lines };
  };
  return {
    read(commitOid, path) {
      const key = `${commitOid} ${path}`;
      const found = known.get(key) ?? read(commitOid, path);
      known.set(key, found);
      return found;
    },
  };
}

/** The two ends of what a pull request changes. */
export interface PullEnds {
  readonly headOid: Oid;
  /** Undefined: head and base have nothing in common. */
  readonly mergeBaseOid: Oid | undefined;
}

/** Where the head of a pull request left its base: what was computed for the present tips, else it is looked for near them. */
export async function endsOf(store: GitStore, pull: FoundPull): Promise<PullEnds> {
  const { headOid, merged, check, baseTipOid } = pull;
  if (merged !== null) return { headOid, mergeBaseOid: merged.mergeBaseOid ?? undefined };
  if (check !== null && check.headOid === headOid && check.baseOid === baseTipOid) return { headOid, mergeBaseOid: check.mergeBaseOid ?? undefined };
  return { headOid, mergeBaseOid: baseTipOid === null ? (check?.mergeBaseOid ?? undefined) : await forkPoint(store, baseTipOid, headOid) };
}

/** Where a head left its base. */
export async function forkPoint(store: GitStore, baseOid: Oid, headOid: Oid): Promise<Oid | undefined> {
  const near = await nearMergeBases(store, baseOid, headOid);
  return near === undefined ? mergeBase(store, baseOid, headOid) : near[0];
}

/** The commit whose line a side shows. */
const shownOid = ({ headOid, mergeBaseOid }: PullEnds, side: LinePlace["side"]): Oid => (side === "new" ? headOid : (mergeBaseOid ?? headOid));

/** What is kept of a line that somebody comments on. */
export interface PlacedLine extends LinePlace {
  readonly writtenOid: Oid;
  readonly commitOid: Oid;
  readonly hunk: string;
}

/** Looks at the lines that are commented on: the diff down to each, and the commit that it comes from. A line that is not there has neither. */
export async function placeLines(store: GitStore, ends: PullEnds, places: readonly LinePlace[]): Promise<readonly PlacedLine[]> {
  const files = createFileReader(store);
  const placed: PlacedLine[] = [];
  for (const place of places) {
    const { path, side, line } = place;
    const newer = await files.read(ends.headOid, path);
    const older = ends.mergeBaseOid === undefined ? undefined : await files.read(ends.mergeBaseOid, path);
    const writtenOid = shownOid(ends, side);
    const lines = side === "new" ? newer?.lines : older?.lines;
    if (lines === undefined || line > lines.length) {
      placed.push({ ...place, writtenOid, commitOid: writtenOid, hunk: "" });
      continue;
    }
    const hunk = hunkDownTo(older?.lines ?? [], newer?.lines ?? [], side, line);
    const commitOid = side === "new" ? await originOf(store, files, ends, path, line) : writtenOid;
    placed.push({ ...place, writtenOid, commitOid, hunk: shorten(lastLines(hunk, hunkLines)) });
  }
  return placed;
}

const shorten = (hunk: string): string =>
  hunk
    .split("\n")
    .map((line) => line.slice(0, lineLength))
    .join("\n");

/** The commit of a pull request that a line of its head comes from; where it left the base for a line that is older. */
async function originOf(store: GitStore, files: FileReader, { headOid, mergeBaseOid }: PullEnds, path: string, headLine: number): Promise<Oid> {
  let oid = headOid;
  let line = headLine;
  for (let steps = 0; steps < maxCommits && oid !== mergeBaseOid; steps += 1) {
    const commit = await readCommit(store, oid);
    let parent: { readonly oid: Oid; readonly line: number } | undefined;
    for (const parentOid of commit?.parentOids ?? []) {
      const followed = await follow(files, { path, line, fromOid: oid, toOid: parentOid });
      if (followed === undefined) continue;
      parent = { oid: parentOid, line: followed };
      break;
    }
    if (parent === undefined) return oid;
    ({ oid, line } = parent);
  }
  return oid;
}

interface Walk {
  readonly path: string;
  readonly line: number;
  readonly fromOid: Oid;
  readonly toOid: Oid;
}

/** Where a line of one commit is in another one; undefined: it is not there. */
async function follow(files: FileReader, { path, line, fromOid, toOid }: Walk): Promise<number | undefined> {
  const from = await files.read(fromOid, path);
  const to = await files.read(toOid, path);
  if (from === undefined || to === undefined || line > from.lines.length) return undefined;
  return from.blobOid === to.blobOid ? line : followLine(diffLines(from.lines, to.lines), line);
}

/** Where the lines of comments are now, in their order; undefined: the line is gone. Costs nothing for comments on the present head and base. */
export async function followAll(
  store: GitStore,
  ends: PullEnds,
  comments: readonly (LinePlace & { readonly writtenOid: Oid })[],
): Promise<readonly (number | undefined)[]> {
  const files = createFileReader(store);
  const present: (number | undefined)[] = [];
  for (const { path, side, line, writtenOid } of comments) {
    const toOid = shownOid(ends, side);
    present.push(writtenOid === toOid ? line : await follow(files, { path, line, fromOid: writtenOid, toOid }));
  }
  return present;
}
