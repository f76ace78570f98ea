import { type LfsPointer, readLfsPointer } from "../commits/lfs-pointer.ts";
import type { DiffLine, FileDiff } from "./unified-diff.ts";

/** A change of what git lfs keeps; undefined on the side where it does not keep it. */
export interface LargeChange {
  readonly before: LfsPointer | undefined;
  readonly after: LfsPointer | undefined;
}

/** Pointers have a few lines, so that one hunk holds them whole. */
const maxLines = 40;

/** What the pointers stand for between which a change leads; undefined where neither side is one. */
export function largeChangeOf({ hunks }: Pick<FileDiff, "hunks">): LargeChange | undefined {
  const [hunk, ...others] = hunks;
  if (hunk === undefined || others.length > 0 || hunk.lines.length > maxLines) return undefined;
  const change = { before: pointerOn(hunk.lines, "added"), after: pointerOn(hunk.lines, "removed") };
  return change.before === undefined && change.after === undefined ? undefined : change;
}

/** @param other the kind of lines that the side does not have */
function pointerOn(lines: readonly DiffLine[], other: DiffLine["kind"]): LfsPointer | undefined {
  const own = lines.filter(({ kind }) => kind !== other).map(({ text }) => text);
  return own[0]?.startsWith("version ") ? readLfsPointer(Buffer.from(`${own.join("\n")}\n`)) : undefined;
}
