import type { ChangedFile } from "../../../git/history/diff-parse.ts";
import type { Oid } from "../../../git/types.ts";
import type { LargeChange } from "./large-change.ts";
import type { DiffHunk, DiffLine, FileDiff } from "./unified-diff.ts";

/** A piece of what changed between two commits. */
export interface FilesPiece {
  /** Undefined: there was nothing before. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
  /** By their paths: so many as are listed at once. */
  readonly files: readonly ChangedFile[];
  /** Which part of the list of all files, from 1. */
  readonly list: number;
  readonly hasNextList: boolean;
  readonly fileCount: number;
  readonly additions: number;
  readonly deletions: number;
  /** Which piece, from 1. */
  readonly piece: number;
  /** Where the pieces begin. */
  readonly starts: readonly number[];
  readonly shown: readonly ShownChange[];
  /** One file stands by itself. */
  readonly isAlone: boolean;
  /** Of that file: which part of its lines, from 1, and whether there is another one behind it. */
  readonly part: number;
  readonly hasNextPart: boolean;
  /** There is more of what is shown than a page holds. */
  readonly isCut: boolean;
}

/** A change as it is shown. */
export interface ShownChange {
  /** Its place among all. */
  readonly index: number;
  readonly file: ChangedFile;
  /** Undefined: too long to stand among others, or nothing of it can be shown. */
  readonly diff: OpenedDiff | undefined;
  readonly isLong: boolean;
  /** What git lfs keeps of it. */
  readonly large: LargeChange | undefined;
}

/** The change of a file, with the lines of some gaps between its hunks. */
export interface OpenedDiff extends FileDiff {
  readonly hunks: readonly PlacedHunk[];
  /** Of the gap below the last hunk; undefined: there is none. */
  readonly gapBelow: number | undefined;
}

/** So many files of a difference are listed at once. */
export const maxListed = 2_000;

/** So much of a difference stands on one page. */
const maxFiles = 100;
const maxLines = 3_000;
/** The change of one file that is longer is shown alone, so many lines at a time. */
const maxFileLines = 1_500;
export const partLines = 3_000;

const sizeOf = ({ additions, deletions }: ChangedFile): number => additions + deletions;

/** Whether a change is too long to stand among others. */
export const isLong = (file: ChangedFile): boolean => sizeOf(file) > maxFileLines;

/** Where the pieces of a list of changes begin: each holds as many files as a page takes. */
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

/** The piece, from 1, with the change of a file, by its name before or after; undefined: nothing of the kind has changed. */
export function pieceWith(files: readonly ChangedFile[], starts: readonly number[], wanted: string | undefined): number | undefined {
  const index = wanted === undefined ? -1 : files.findIndex(({ path, oldPath }) => path === wanted || oldPath === wanted);
  return index < 0 ? undefined : starts.findLastIndex((start) => start <= index) + 1;
}

/** Lines that two hunks leave out between them; the first gap is above the first hunk, the last one below the last. */
interface Gap {
  /** From 1, in the file as it is now; the end is the last line itself. */
  readonly from: number;
  readonly to: number;
  /** What leads from a line now to the same before. */
  readonly shift: number;
}

/** Git shows so many lines below a change where there are as many. */
const contextLines = 3;

/**
 * What the hunks of a file leave out, by the number of the hunk above which it is.
 * @param length of the file; unknown, the last gap may turn out to be empty
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

/** A hunk between gaps: where one was opened, it has grown together with its neighbours. */
export interface PlacedHunk extends DiffHunk {
  /** Of the gap above it, as the file's own hunks count; undefined: there is none. */
  readonly gapAbove: number | undefined;
}

/** @param lines of the file as it is now; needed where a gap is opened */
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

/** A part of the change of a file: what lies around it is not known. */
export const withoutGaps = (diff: FileDiff): OpenedDiff => ({
  ...diff,
  hunks: diff.hunks.map((hunk) => ({ ...hunk, gapAbove: undefined })),
  gapBelow: undefined,
});

const linesOf = ({ from, to, shift }: Gap, lines: readonly string[]): DiffLine[] =>
  lines.slice(from - 1, to).map((text, at) => ({ kind: "context", before: from + at + shift, after: from + at, text }));
