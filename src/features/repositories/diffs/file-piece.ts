import type { ChangedFile } from "../../../git/history/diff-parse.ts";
import type { Oid } from "../../../git/types.ts";
import type { LargeChange } from "./large-change.ts";
import type { DiffHunk, DiffLine, FileDiff } from "./unified-diff.ts";

/** A page of the changes between two commits. */
export interface FilesPiece {
  /** Undefined for the empty tree. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
  /** Sorted by path; at most {@link maxListed}. */
  readonly files: readonly ChangedFile[];
  /** Which part of the list of all files, starting at 1. */
  readonly list: number;
  readonly hasNextList: boolean;
  readonly fileCount: number;
  readonly additions: number;
  readonly deletions: number;
  /** Which piece, starting at 1. */
  readonly piece: number;
  /** Index of the first file of each piece. */
  readonly starts: readonly number[];
  readonly shown: readonly ShownChange[];
  /** Only one file is shown. */
  readonly isAlone: boolean;
  /** Which part of that file's lines, starting at 1. */
  readonly part: number;
  readonly hasNextPart: boolean;
  /** The changes exceed the page limits and are truncated. */
  readonly isCut: boolean;
}

export interface ShownChange {
  /** Index among all files. */
  readonly index: number;
  readonly file: ChangedFile;
  /** Undefined if the diff is too long to be shown with others, or cannot be shown. */
  readonly diff: OpenedDiff | undefined;
  readonly isLong: boolean;
  /** The change of a Git LFS file. */
  readonly large: LargeChange | undefined;
}

/** The diff of a file, with some gaps between its hunks opened. */
export interface OpenedDiff extends FileDiff {
  readonly hunks: readonly PlacedHunk[];
  /** The number of the gap below the last hunk; undefined if there is none. */
  readonly gapBelow: number | undefined;
}

/** Maximum number of files listed at a time. */
export const maxListed = 2_000;

/** Maximum number of files per page. */
const maxFiles = 100;
const maxLines = 3_000;
/** A longer diff of one file is shown alone, this many lines at a time. */
const maxFileLines = 1_500;
export const partLines = 3_000;

const sizeOf = ({ additions, deletions }: ChangedFile): number => additions + deletions;

/** Whether a diff is too long to be shown with others. */
export const isLong = (file: ChangedFile): boolean => sizeOf(file) > maxFileLines;

/** The index of the first file of each piece. */
export function pieceStarts(files: readonly ChangedFile[]): readonly number[] {
  const starts = [0];
  let lines = 0;
  for (const [at, file] of files.entries()) {
    const own = isLong(file) ? 0 : sizeOf(file);
    const start = starts.at(-1) ?? 0;
    if (at > start && (at - start === maxFiles || lines + own > maxLines)) {
      starts.push(at);
      lines = 0;
    }
    lines += own;
  }
  return starts;
}

/** The piece, starting at 1, with the change of a file by its old or new name; undefined if the file did not change. */
export function pieceWith(files: readonly ChangedFile[], starts: readonly number[], wanted: string | undefined): number | undefined {
  const index = wanted === undefined ? -1 : files.findIndex(({ path, oldPath }) => path === wanted || oldPath === wanted);
  return index < 0 ? undefined : starts.findLastIndex((start) => start <= index) + 1;
}

/** Unchanged lines between two hunks. The first gap is above the first hunk, the last one below the last hunk. */
interface Gap {
  /** Line numbers of the new file, starting at 1; `to` is inclusive. */
  readonly from: number;
  readonly to: number;
  /** Added to a new line number to get the old one. */
  readonly shift: number;
}

/** Number of context lines that git shows below a change. */
const contextLines = 3;

/**
 * The gaps of a file by the number of the following hunk.
 * @param length of the file; if unknown, the last gap may be empty
 */
export function gapsOf({ hunks, status }: Pick<FileDiff, "hunks" | "status">, length = Number.POSITIVE_INFINITY): ReadonlyMap<number, Gap> {
  const gaps = new Map<number, Gap>();
  if (status === "added" || status === "removed") return gaps;
  let next = 1;
  let shift = 0;
  for (const [at, { lines }] of hunks.entries()) {
    const first = lines.find((line) => line.kind === "context");
    if (first === undefined) return new Map();
    if (first === lines[0] && first.after > next) gaps.set(at, { from: next, to: first.after - 1, shift: first.before - first.after });
    for (const line of lines) if (line.kind !== "removed") next = line.after + 1;
    const last = lines.findLast((line) => line.kind === "context");
    if (last?.kind === "context") shift = last.before - last.after;
  }
  const below = hunks.at(-1)?.lines.slice(-contextLines) ?? [];
  if (hunks.length > 0 && below.every(({ kind }) => kind === "context") && next <= length) gaps.set(hunks.length, { from: next, to: length, shift });
  return gaps;
}

/** A hunk with its gaps; an opened gap merges its two hunks. */
export interface PlacedHunk extends DiffHunk {
  /** The number of the gap above, in terms of the original hunks; undefined if there is none. */
  readonly gapAbove: number | undefined;
}

/** @param lines of the new file; required to open a gap */
export function openGaps(diff: FileDiff, opened: ReadonlySet<number>, lines: readonly string[] = []): OpenedDiff {
  const gaps = gapsOf(diff, opened.size === 0 ? undefined : lines.length);
  const hunks: (PlacedHunk & { lines: DiffLine[] })[] = [];
  for (let at = 0; at <= diff.hunks.length; at += 1) {
    const gap = gaps.get(at);
    const hunk = diff.hunks[at];
    const filled = gap !== undefined && opened.has(at) ? linesOf(gap, lines) : undefined;
    const joins = at > 0 && (filled !== undefined || gap === undefined);
    const above = hunks.at(-1);
    if (joins && above !== undefined) above.lines.push(...(filled ?? []), ...(hunk?.lines ?? []));
    else if (hunk !== undefined)
      hunks.push({
        heading: filled === undefined ? hunk.heading : "",
        lines: [...(filled ?? []), ...hunk.lines],
        gapAbove: filled === undefined && gap ? at : undefined,
      });
  }
  const isMoreBelow = gaps.has(diff.hunks.length) && !opened.has(diff.hunks.length);
  return { ...diff, hunks, gapBelow: isMoreBelow ? diff.hunks.length : undefined };
}

/** For a part of a file's diff, whose surroundings are unknown. */
export const withoutGaps = (diff: FileDiff): OpenedDiff => ({
  ...diff,
  hunks: diff.hunks.map((hunk) => ({ ...hunk, gapAbove: undefined })),
  gapBelow: undefined,
});

const linesOf = ({ from, to, shift }: Gap, lines: readonly string[]): DiffLine[] =>
  lines.slice(from - 1, to).map((text, at) => ({ kind: "context", before: from + at + shift, after: from + at, text }));
