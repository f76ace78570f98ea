/** Replaced lines: numbered from 0; one side is empty for pure additions and removals. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** With more differing lines than this, everything between the common start and end counts as one change. */
const maxDifferences = 1_000;

/**
 * The shortest list of changes between two texts, in order (Myers, An O(ND) Difference Algorithm). Time and space are bounded by the number
 * of differences, which is bounded too.
 */
export function diffLines(older: readonly string[], newer: readonly string[]): readonly LineChange[] {
  let start = 0;
  while (start < older.length && start < newer.length && older[start] === newer[start]) start += 1;
  let oldEnd = older.length;
  let newEnd = newer.length;
  while (oldEnd > start && newEnd > start && older[oldEnd - 1] === newer[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const oldCount = oldEnd - start;
  const newCount = newEnd - start;
  if (oldCount === 0 && newCount === 0) return [];
  const whole = { oldStart: start, oldCount, newStart: start, newCount };
  if (oldCount === 0 || newCount === 0) return [whole];
  const path = shortestPath(older.slice(start, oldEnd), newer.slice(start, newEnd));
  if (path === undefined) return [whole];
  return changesAlong(path, start);
}

/** A removed line (`x` advances) or an added one (`y` advances), at its position. */
interface Step {
  readonly x: number;
  readonly y: number;
  readonly isRemoval: boolean;
}

/** @returns undefined if there are too many differences */
function shortestPath(older: readonly string[], newer: readonly string[]): readonly Step[] | undefined {
  const bound = Math.min(older.length + newer.length, maxDifferences);
  const offset = bound + 1;
  const furthest = new Int32Array(2 * offset + 1);
  /** `furthest` before each round, limited to the range that the round reads. */
  const rounds: Int32Array[] = [];
  for (let differences = 0; differences <= bound; differences += 1) {
    rounds.push(furthest.slice(offset - differences - 1, offset + differences + 2));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const isAddition = diagonal === -differences || (diagonal !== differences && at(furthest, offset + diagonal - 1) < at(furthest, offset + diagonal + 1));
      let x = isAddition ? at(furthest, offset + diagonal + 1) : at(furthest, offset + diagonal - 1) + 1;
      while (x < older.length && x - diagonal < newer.length && older[x] === newer[x - diagonal]) x += 1;
      furthest[offset + diagonal] = x;
      if (x >= older.length && x - diagonal >= newer.length) return stepsBack(rounds, older.length, newer.length);
    }
  }
  return undefined;
}

const at = (values: Int32Array, index: number): number => values[index] ?? 0;

function stepsBack(rounds: readonly Int32Array[], oldLength: number, newLength: number): readonly Step[] {
  const steps: Step[] = [];
  let x = oldLength;
  let y = newLength;
  for (let differences = rounds.length - 1; differences > 0; differences -= 1) {
    const before = rounds[differences] ?? new Int32Array();
    const diagonal = x - y;
    const furthestOn = (other: number): number => at(before, other + differences + 1);
    const isAddition = diagonal === -differences || (diagonal !== differences && furthestOn(diagonal - 1) < furthestOn(diagonal + 1));
    const from = isAddition ? diagonal + 1 : diagonal - 1;
    x = furthestOn(from);
    y = x - from;
    steps.push({ x, y, isRemoval: !isAddition });
  }
  return steps.reverse();
}

function changesAlong(steps: readonly Step[], start: number): readonly LineChange[] {
  const changes: { oldStart: number; oldCount: number; newStart: number; newCount: number }[] = [];
  for (const { x, y, isRemoval } of steps) {
    let last = changes.at(-1);
    if (last === undefined || last.oldStart + last.oldCount !== start + x || last.newStart + last.newCount !== start + y) {
      last = { oldStart: start + x, oldCount: 0, newStart: start + y, newCount: 0 };
      changes.push(last);
    }
    if (isRemoval) last.oldCount += 1;
    else last.newCount += 1;
  }
  return changes;
}

/** New position of a line (from 1) after the changes; undefined if it was removed. */
export function followLine(changes: readonly LineChange[], line: number): number | undefined {
  let shift = 0;
  for (const { oldStart, oldCount, newCount } of changes) {
    if (line <= oldStart) break;
    if (line <= oldStart + oldCount) return undefined;
    shift += newCount - oldCount;
  }
  return line + shift;
}

export type Side = "old" | "new";

/** Lines of context around a change in a hunk, as in git. */
const contextLines = 3;

/**
 * The hunk of a unified diff that contains a line of one side, cut off after this line; the header counts the whole hunk. Lines outside any
 * hunk are shown with the lines before them.
 * @param context number of context lines, if more than git's default
 */
export function hunkDownTo(older: readonly string[], newer: readonly string[], side: Side, line: number, context = contextLines): string {
  const changes = diffLines(older, newer);
  const hunk = hunksOf(changes, older.length, context).find(({ from, to, shift, grown }) =>
    side === "old" ? line > from && line <= to : line > from + shift && line <= to + shift + grown,
  );
  if (hunk === undefined) return plainHunk(older, newer, changes, { side, line, context });
  const { from, to, shift, grown } = hunk;
  const oldCount = to - from;
  const newCount = oldCount + grown;
  const shown: string[] = [`@@ -${range(from, oldCount)} +${range(from + shift, newCount)} @@`];
  let old = from;
  let now = from + shift;
  const isDone = (isOld: boolean): boolean => (side === "old" ? isOld && old === line : !isOld && now === line);
  for (const change of [...hunk.changes, undefined]) {
    const contextEnd = change?.oldStart ?? to;
    while (old < contextEnd) {
      shown.push(` ${older[old]}`);
      old += 1;
      now += 1;
      if (isDone(side === "old")) return shown.join("\n");
    }
    for (let count = 0; change !== undefined && count < change.oldCount; count += 1) {
      shown.push(`-${older[old]}`);
      old += 1;
      if (isDone(true)) return shown.join("\n");
    }
    for (let count = 0; change !== undefined && count < change.newCount; count += 1) {
      shown.push(`+${newer[now]}`);
      now += 1;
      if (isDone(false)) return shown.join("\n");
    }
  }
  return shown.join("\n");
}

/** How many lines at the end of a hunk contain `count` lines of one side. */
export function lengthOf(hunk: string, side: Side, count: number): number {
  const other = side === "old" ? "+" : "-";
  const lines = hunk.split("\n").slice(1);
  let length = 0;
  for (let left = count; left > 0 && length < lines.length; length += 1) if (!lines[lines.length - 1 - length]?.startsWith(other)) left -= 1;
  return length;
}

/** The last lines of a hunk from {@link hunkDownTo}, with a matching header. */
export function lastLines(hunk: string, count: number): string {
  const [header = "", ...lines] = hunk.split("\n");
  const cut = lines.slice(0, Math.max(lines.length - count, 0));
  const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(header);
  if (cut.length === 0 || numbers === null) return hunk;
  const [oldStart = 0, oldCount = 1, newStart = 0, newCount = 1] = numbers.slice(1).map((digits) => (digits === undefined ? undefined : Number(digits)));
  const oldCut = cut.filter((line) => !line.startsWith("+")).length;
  const newCut = cut.filter((line) => !line.startsWith("-")).length;
  const from = (start: number, length: number, gone: number): string => range((length === 0 ? start : start - 1) + gone, length - gone);
  return [`@@ -${from(oldStart, oldCount, oldCut)} +${from(newStart, newCount, newCut)} @@`, ...lines.slice(cut.length)].join("\n");
}

/** Position of a hunk's side in git's format: an empty range begins at the line before. */
const range = (from: number, count: number): string => (count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`);

interface Hunk {
  readonly changes: LineChange[];
  /** Start on the old side. */
  readonly from: number;
  to: number;
  /** Offset of the new side's start. */
  readonly shift: number;
  /** Additional lines on the new side. */
  grown: number;
}

function hunksOf(changes: readonly LineChange[], oldLength: number, context: number): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const change of changes) {
    const end = change.oldStart + change.oldCount;
    const to = Math.min(end + context, oldLength);
    const last = hunks.at(-1);
    if (last !== undefined && change.oldStart - context <= last.to) {
      last.changes.push(change);
      last.to = to;
      last.grown += change.newCount - change.oldCount;
      continue;
    }
    const from = Math.max(change.oldStart - context, 0);
    hunks.push({ changes: [change], from, to, shift: change.newStart - change.oldStart, grown: change.newCount - change.oldCount });
  }
  return hunks;
}

interface PlainLine {
  readonly side: Side;
  readonly line: number;
  readonly context: number;
}

function plainHunk(older: readonly string[], newer: readonly string[], changes: readonly LineChange[], { side, line, context }: PlainLine): string {
  const lines = side === "old" ? older : newer;
  if (line < 1 || line > lines.length) return "";
  const back = side === "old" ? changes : changes.map(reversed);
  const other = followLine(back, line) ?? line;
  const count = Math.min(context + 1, line);
  const [oldLine, newLine] = side === "old" ? [line, other] : [other, line];
  const header = `@@ -${range(oldLine - count, count)} +${range(newLine - count, count)} @@`;
  return [header, ...lines.slice(line - count, line).map((text) => ` ${text}`)].join("\n");
}

const reversed = ({ oldStart, oldCount, newStart, newCount }: LineChange): LineChange => ({
  oldStart: newStart,
  oldCount: newCount,
  newStart: oldStart,
  newCount: oldCount,
});

/** A line of a hunk, with its numbers on the sides that have it. */
export interface TextLine {
  readonly kind: "context" | "added" | "removed";
  readonly before?: number;
  readonly after?: number;
  readonly text: string;
}

export interface TextHunk {
  readonly heading: string;
  readonly lines: readonly TextLine[];
}

/** The differences of two texts as hunks, with the context of git. */
export function hunksBetween(older: readonly string[], newer: readonly string[]): readonly TextHunk[] {
  return hunksOf(diffLines(older, newer), older.length, contextLines).map(({ changes, from, to, shift, grown }) => {
    const lines: TextLine[] = [];
    let old = from;
    let now = from + shift;
    for (const change of [...changes, undefined]) {
      for (const end = change?.oldStart ?? to; old < end; old += 1, now += 1)
        lines.push({ kind: "context", before: old + 1, after: now + 1, text: older[old] ?? "" });
      for (let count = change?.oldCount ?? 0; count > 0; count -= 1, old += 1) lines.push({ kind: "removed", before: old + 1, text: older[old] ?? "" });
      for (let count = change?.newCount ?? 0; count > 0; count -= 1, now += 1) lines.push({ kind: "added", after: now + 1, text: newer[now] ?? "" });
    }
    return { heading: `@@ -${range(from, to - from)} +${range(from + shift, to - from + grown)} @@`, lines };
  });
}
