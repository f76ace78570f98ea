import { createHash } from "node:crypto";
import { notFound } from "../../../core/errors.ts";
import { keptTreeChanges, streamDiff, type Whitespace } from "../../../git/diff.ts";
import type { ChangedFile } from "../../../git/diff-parse.ts";
import { readBlob } from "../../../git/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import { readBounded } from "../../commits/service/difference.ts";
import type { FileDiff } from "../../commits/unified-diff.ts";
import { colourDiffs } from "../../contents/service/colours.ts";
import type { Markup } from "../../markup/service.ts";
import { type FilesPiece, isLong, type OpenedDiff, openGaps, pieceStarts, pieceWith, type ShownChange } from "../file-piece.ts";
import type { ShownDiffs, ShownDiffsCache } from "../shown-diffs.ts";
import type { FoundPull } from "../view.ts";
import { rangeOf } from "./changes.ts";
import type { PullDeps, PullViewing } from "./deps.ts";

export interface FilesDeps extends PullDeps {
  readonly markup: Markup;
  readonly shownDiffs: ShownDiffsCache;
}

export interface PieceWish {
  readonly whitespace: Whitespace;
  /** Which piece, from 1. */
  readonly piece: number;
  /** The piece with the change of this file, before or after it was renamed, where it is among the changes. */
  readonly withPath?: string | undefined;
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
 * A piece of what a pull request changes, as a page shows it. Two processes, none for what was shown a moment ago.
 * @throws ForgeError `not_found` for a file that is not among them, `refused` for more than can be listed
 */
export async function readFilesPiece(deps: FilesDeps, viewing: PullViewing, pull: FoundPull, wish: PieceWish): Promise<FilesPiece> {
  const { store, fromOid, toOid } = await rangeOf(deps, viewing, pull);
  const { whitespace } = wish;
  const { signal } = viewing;
  const list =
    fromOid === toOid
      ? { files: [], fileCount: 0, additions: 0, deletions: 0 }
      : await keptTreeChanges(store, fromOid, toOid, { maxFiles: maxListed, whitespace, signal });
  const files = list.files.slice(0, maxListed);
  const starts = pieceStarts(files);
  const piece = pieceWith(files, starts, wish.withPath) ?? Math.min(Math.max(1, wish.piece), starts.length);
  const wanted = indexesOf(files, starts, { ...wish, piece });
  const texts = wanted.filter((index) => wish.only !== undefined || !isLong(files[index] as ChangedFile));
  const compared = { fromOid, toOid, whitespace, signal, files: texts.map((index) => files[index] as ChangedFile), total: files.length };
  const { files: diffs, isCut } = await readDiffs(deps, store, compared);
  const byPath = new Map(await Promise.all(diffs.map(async (diff) => [diff.path, await opened(deps, store, files, diff, wish.gaps)] as const)));
  const shown = wanted.map((index): ShownChange => {
    const file = files[index] as ChangedFile;
    return { index, file, diff: byPath.get(file.path), isLong: wish.only === undefined && isLong(file) };
  });
  const { fileCount, additions, deletions } = list;
  return { headOid: toOid, files, fileCount, additions, deletions, piece, starts, shown, isCut };
}

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
  /** How many there are among which these are. */
  readonly total: number;
}

/** Bounds what git writes where the reader leaves before the end. */
const maxTextBytes = 8 * 1024 * 1024;

async function readDiffs(deps: FilesDeps, store: GitStore, wish: DiffsWish): Promise<ShownDiffs> {
  const { fromOid, toOid, files, total, whitespace, signal } = wish;
  if (files.length === 0) return { files: [], isCut: false };
  const paths = files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
  const isAll = files.length === total || !paths.every((path) => path.isWellFormed());
  const key = createHash("sha256")
    .update(JSON.stringify([store.key, fromOid, toOid, whitespace, isAll ? [] : paths]))
    .digest("base64");
  return deps.shownDiffs.keep(key, async () => {
    const { stdout } = await streamDiff(store, fromOid, toOid, { whitespace, signal, maxBytes: maxTextBytes, paths: isAll ? undefined : paths });
    const { files: diffs, isCut } = await readBounded(stdout);
    return { files: await colourDiffs(deps.markup, diffs), isCut };
  });
}

/** A file with the lines that are wanted between its hunks. */
async function opened(deps: FilesDeps, store: GitStore, files: readonly ChangedFile[], diff: FileDiff, gaps: ReadonlySet<number>): Promise<OpenedDiff> {
  const oid = files.find(({ path }) => path === diff.path)?.newOid;
  const data = gaps.size === 0 || oid === undefined ? undefined : (await readBlob(store, oid, maxFileBytes))?.data;
  if (data === undefined) return openGaps(diff, new Set());
  const lines = data.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const grown = openGaps(diff, gaps, lines);
  const [coloured] = await colourDiffs(deps.markup, [grown]);
  return { ...grown, hunks: grown.hunks.map((hunk, at) => ({ ...hunk, lines: coloured?.hunks[at]?.lines ?? hunk.lines })) };
}
