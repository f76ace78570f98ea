import { type LfsPointer, readLfsPointer } from "../commits/lfs-pointer.ts";
import type { DiffLine, FileDiff } from "./unified-diff.ts";

/** The change of a Git LFS file; a side is undefined if it is not in LFS. */
export interface LargeChange {
  readonly before: LfsPointer | undefined;
  readonly after: LfsPointer | undefined;
}

/** Pointers are short, so that one hunk contains them completely. */
const maxLines = 40;

/** The LFS pointers on both sides of a change; undefined if neither side is a pointer. */
export function largeChangeOf({ hunks }: Pick<FileDiff, "hunks">): LargeChange | undefined {
  const [hunk, ...others] = hunks;
  if (hunk === undefined || others.length > 0 || hunk.lines.length > maxLines) return undefined;
  const change = { before: pointerOn(hunk.lines, "added"), after: pointerOn(hunk.lines, "removed") };
  return change.before === undefined && change.after === undefined ? undefined : change;
}

/** @param other the kind of lines that are not on this side */
function pointerOn(lines: readonly DiffLine[], other: DiffLine["kind"]): LfsPointer | undefined {
  const own = lines.filter(({ kind }) => kind !== other).map(({ text }) => text);
  return own[0]?.startsWith("version ") ? readLfsPointer(Buffer.from(`${own.join("\n")}\n`)) : undefined;
}
