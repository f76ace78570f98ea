import { notFound } from "../../../core/errors.ts";
import { keptTreeChanges, streamDiff, type Whitespace } from "../../../git/diff.ts";
import type { ChangedFile } from "../../../git/diff-parse.ts";
import { readBlob } from "../../../git/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import { readBounded } from "../../commits/service/difference.ts";
import type { DiffLine, FileDiff } from "../../commits/unified-diff.ts";
import { colourLines } from "../../contents/service/colours.ts";
import type { Markup } from "../../markup/service.ts";
import { type FilesPiece, isLong, type OpenedDiff, openGaps, pieceStarts, type ShownChange } from "../file-piece.ts";
import type { FoundPull } from "../view.ts";
import { rangeOf } from "./changes.ts";
import type { PullDeps, PullViewing } from "./deps.ts";

export interface PieceWish {
  readonly whitespace: Whitespace;
  /** Which piece, from 1. */
  readonly piece: number;
  /** One file alone, by its place among all. */
  readonly only: number | undefined;
  /** Of that file: lines between its hunks that are wanted too. */
  readonly gaps: ReadonlySet<number>;
}

/** So many files are listed beside the changes. */
const maxListed = 2_000;
/** Lines are shown between the hunks of files up to this size. */
const maxFileBytes = 512 * 1024;

/**
 * A piece of what a pull request changes, as a page shows it. Two processes, one for files that were listed a moment ago.
 * @throws ForgeError `not_found` for a file that is not among them, `refused` for more than can be listed
 */
export async function readFilesPiece(
  deps: PullDeps & { readonly markup: Markup },
  viewing: PullViewing,
  pull: FoundPull,
  wish: PieceWish,
): Promise<FilesPiece> {
  const { store, fromOid, toOid } = await rangeOf(deps, viewing, pull);
  const { whitespace } = wish;
  const { signal } = viewing;
  const list =
    fromOid === toOid
      ? { files: [], fileCount: 0, additions: 0, deletions: 0 }
      : await keptTreeChanges(store, fromOid, toOid, { maxFiles: maxListed, whitespace, signal });
  const files = list.files.slice(0, maxListed);
  const starts = pieceStarts(files);
  const piece = Math.min(Math.max(1, wish.piece), starts.length);
  const wanted = indexesOf(files, starts, { ...wish, piece });
  const texts = wanted.filter((index) => wish.only !== undefined || !isLong(files[index] as ChangedFile));
  const { diffs, isCut } = await readDiffs(
    store,
    { fromOid, toOid, whitespace, signal, files: texts.map((index) => files[index] as ChangedFile) },
    files.length,
  );
  const byPath = new Map(await Promise.all([...diffs].map(async ([path, diff]) => [path, await opened(store, files, path, diff, wish.gaps)] as const)));
  const html = await colourLines(deps.markup, [...byPath.values()]);
  const shown = wanted.map((index): ShownChange => {
    const file = files[index] as ChangedFile;
    const diff = byPath.get(file.path);
    return { index, file, diff: diff && coloured(diff, html), isLong: wish.only === undefined && isLong(file) };
  });
  const { fileCount, additions, deletions } = list;
  return { headOid: toOid, files, fileCount, additions, deletions, piece, starts, shown, isCut };
}

const coloured = (diff: OpenedDiff, html: ReadonlyMap<DiffLine, string>): OpenedDiff => ({
  ...diff,
  hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map((line) => ({ ...line, html: html.get(line) })) })),
});

function indexesOf(files: readonly ChangedFile[], starts: readonly number[], { piece, only }: PieceWish): readonly number[] {
  if (only !== undefined) {
    if (files[only] === undefined) throw notFound();
    return [only];
  }
  const start = starts[piece - 1] ?? 0;
  const end = starts[piece] ?? files.length;
  return Array.from({ length: end - start }, (_, at) => start + at);
}

interface DiffsWish {
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
  readonly whitespace: Whitespace;
  readonly signal: AbortSignal | undefined;
  readonly files: readonly ChangedFile[];
}

/** Bounds what git writes where the reader leaves before the end. */
const maxTextBytes = 8 * 1024 * 1024;

async function readDiffs(store: GitStore, { fromOid, toOid, files, whitespace, signal }: DiffsWish, total: number) {
  if (files.length === 0) return { diffs: new Map<string, FileDiff>(), isCut: false };
  const paths = files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
  const isAll = files.length === total || !paths.every((path) => path.isWellFormed());
  const { stdout } = await streamDiff(store, fromOid, toOid, { whitespace, signal, maxBytes: maxTextBytes, paths: isAll ? undefined : paths });
  const { files: diffs, isCut } = await readBounded(stdout);
  return { diffs: new Map(diffs.map((diff) => [diff.path, diff])), isCut };
}

/** A file with the lines that are wanted between its hunks. */
async function opened(store: GitStore, files: readonly ChangedFile[], path: string, diff: FileDiff, gaps: ReadonlySet<number>): Promise<OpenedDiff> {
  const oid = files.find((file) => file.path === path)?.newOid;
  const data = gaps.size === 0 || oid === undefined ? undefined : (await readBlob(store, oid, maxFileBytes))?.data;
  if (data === undefined) return openGaps(diff, new Set());
  const lines = data.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return openGaps(diff, gaps, lines);
}
