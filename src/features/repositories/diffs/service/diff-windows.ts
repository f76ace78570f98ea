import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { notFound } from "../../../../core/errors.ts";
import { keptTreeChanges, streamDiff, treeChanges, type Whitespace } from "../../../../git/history/diff.ts";
import type { ChangedFile } from "../../../../git/history/diff-parse.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { Markup } from "../../../site/markup/service.ts";
import { type DiffWindow, readWindow } from "../diff-window.ts";
import {
  type FilesPiece,
  isLong,
  maxListed,
  type OpenedDiff,
  openGaps,
  partLines,
  pieceStarts,
  pieceWith,
  type ShownChange,
  withoutGaps,
} from "../file-piece.ts";
import { largeChangeOf } from "../large-change.ts";
import type { ShownDiffs, ShownDiffsCache } from "../shown-diffs.ts";
import { type FileDiff, parseUnifiedDiff } from "../unified-diff.ts";
import { colourDiffs } from "./colours.ts";

export interface PieceDeps {
  readonly markup: Pick<Markup, "highlightAll">;
  readonly shownDiffs: ShownDiffsCache;
}

/** Two commits in a store, and what is wanted of the difference between them. */
export interface PieceQuery {
  readonly store: GitStore;
  /** Undefined: there was nothing before. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
  readonly whitespace: Whitespace;
  /** Which part of the list of files, from 1: pieces and places of files are counted in it. */
  readonly list: number;
  /** Which piece, from 1. */
  readonly piece: number;
  /** The piece with the change of this file, before or after it was renamed, where it is among the changes. */
  readonly withPath?: string | undefined;
  /** One file alone, by its place among all. */
  readonly only: number | undefined;
  /** Of that file: which part of its lines, from 1. */
  readonly part: number;
  /** Of that file: lines between its hunks that are wanted too. */
  readonly gaps: ReadonlySet<number>;
  readonly signal?: AbortSignal | undefined;
}

/** Lines are shown between the hunks of files up to this size. */
const maxFileBytes = 512 * 1024;

/**
 * A piece of a difference, as a page shows it. Two processes, none for what was shown a moment ago; no statement.
 * @throws ForgeError `not_found` for a file that is not among those that changed, `refused` for more than can be listed
 */
export async function readPiece(deps: PieceDeps, asked: PieceQuery): Promise<FilesPiece> {
  const { wish, list } = await findList(asked);
  const { fromOid, toOid } = wish;
  const files = list.files.slice(0, maxListed);
  const starts = pieceStarts(files);
  const piece = pieceWith(files, starts, wish.withPath) ?? Math.min(Math.max(1, wish.piece), starts.length);
  const wanted = indexesOf(files, starts, { ...wish, piece });
  const texts = wanted.filter((index) => wish.only !== undefined || !isLong(files[index] as ChangedFile));
  const wantedFiles = { files: texts.map((index) => files[index] as ChangedFile), total: list.fileCount };
  const { files: diffs, isCut, hasNextPart } = await readDiffs(deps, wish, wantedFiles);
  const isWhole = wish.part === 1 && !hasNextPart;
  const open = async (diff: FileDiff): Promise<OpenedDiff> => (isWhole ? opened(deps, wish, files, diff) : withoutGaps(diff));
  const byPath = new Map(await Promise.all(diffs.map(async (diff) => [diff.path, await open(diff)] as const)));
  const shown = wanted.map((index): ShownChange => {
    const file = files[index] as ChangedFile;
    const diff = byPath.get(file.path);
    return { index, file, diff, isLong: wish.only === undefined && isLong(file), large: diff && largeChangeOf(diff) };
  });
  const { fileCount, additions, deletions } = list;
  return {
    fromOid,
    toOid,
    files,
    fileCount,
    list: wish.list,
    hasNextList: skippedBy(wish) + files.length < fileCount,
    additions,
    deletions,
    piece,
    starts,
    shown,
    isAlone: wish.only !== undefined,
    part: wish.part,
    hasNextPart,
    isCut,
  };
}

/** So many parts of the list are looked through for a file. */
const maxSearched = 10;

type ChangesList = Pick<FilesPiece, "files" | "fileCount" | "additions" | "deletions">;

/** The part of the list that is wanted, or the one behind it that holds a file that is looked for. */
async function findList(wish: PieceQuery): Promise<{ readonly wish: PieceQuery; readonly list: ChangesList }> {
  const first = await listChanges(wish);
  const { withPath } = wish;
  const last = withPath === undefined ? wish.list : Math.min(wish.list + maxSearched, Math.ceil(first.fileCount / maxListed));
  const holds = ({ files }: ChangesList): boolean => files.slice(0, maxListed).some(({ path, oldPath }) => path === withPath || oldPath === withPath);
  if (holds(first)) return { wish, list: first };
  for (let at = wish.list + 1; at <= last; at += 1) {
    const later = { ...wish, list: at };
    const list = await listChanges(later);
    if (holds(list)) return { wish: later, list };
  }
  return { wish, list: first };
}

const skippedBy = ({ list }: Pick<PieceQuery, "list">): number => (list - 1) * maxListed;

/** A part of the list of files; the sums count all. */
async function listChanges(wish: PieceQuery): Promise<ChangesList> {
  const { store, fromOid, toOid, whitespace, signal } = wish;
  const skipFiles = skippedBy(wish);
  if (fromOid === toOid) return { files: [], fileCount: 0, additions: 0, deletions: 0 };
  if (skipFiles === 0) return keptTreeChanges(store, fromOid, toOid, { maxFiles: maxListed, whitespace, signal });
  return treeChanges(store, fromOid, toOid, { renames: true, maxFiles: maxListed, skipFiles, whitespace, signal });
}

function indexesOf(files: readonly ChangedFile[], starts: readonly number[], { piece, only }: Pick<PieceQuery, "piece" | "only">): readonly number[] {
  if (only !== undefined) {
    if (files[only] === undefined) throw notFound();
    return [only];
  }
  const start = starts[piece - 1] ?? 0;
  const end = starts[piece] ?? files.length;
  return Array.from({ length: end - start }, (_, at) => start + at);
}

interface WantedFiles {
  readonly files: readonly ChangedFile[];
  /** How many there are among which these are. */
  readonly total: number;
}

/** Bounds what git writes where the reader leaves before the end. */
const maxTextBytes = 8 * 1024 * 1024;
/** The same where he looks for a part of one file. */
const maxFileTextBytes = 256 * 1024 * 1024;

async function readDiffs(deps: PieceDeps, wish: PieceQuery, { files, total }: WantedFiles): Promise<ShownDiffs> {
  const { store, fromOid, toOid, whitespace, signal, part } = wish;
  if (files.length === 0) return { files: [], isCut: false, hasNextPart: false };
  const names = files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
  const isNamed = names.every((path) => path.isWellFormed());
  const paths = files.length === total || !isNamed ? undefined : names;
  const isAlone = wish.only !== undefined && isNamed;
  const key = createHash("sha256")
    .update(JSON.stringify([store.key, fromOid, toOid, whitespace, paths, isAlone && part]))
    .digest("base64");
  return deps.shownDiffs.keep(key, async () => {
    const { stdout } = await streamDiff(store, fromOid, toOid, { whitespace, signal, maxBytes: isAlone ? maxFileTextBytes : maxTextBytes, paths });
    const read = isAlone ? await readPart(stdout, part) : { ...(await readBounded(stdout)), hasMore: false };
    return { files: await colourDiffs(deps.markup, parseUnifiedDiff(read.text)), isCut: read.isCut, hasNextPart: read.hasMore };
  });
}

/** More text than this makes a page that nobody reads and browsers choke on. */
const maxPageBytes = 768 * 1024;

/** A part of the lines of one file. */
const readPart = (stream: Readable, part: number): Promise<DiffWindow> =>
  readWindow(stream as AsyncIterable<Buffer>, { skip: (part - 1) * partLines, take: partLines, maxBytes: maxPageBytes });

/** As much of the text of a difference as a page shows. What is left unread ends with the process that writes it. */
async function readBounded(stream: Readable): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop ends the stream, and the process with it.
    if (size > maxPageBytes) break;
  }
  return { text: Buffer.concat(chunks).subarray(0, maxPageBytes).toString("utf8"), isCut: size > maxPageBytes };
}

/** A file with the lines that are wanted between its hunks. */
async function opened(deps: PieceDeps, { store, gaps }: PieceQuery, files: readonly ChangedFile[], diff: FileDiff): Promise<OpenedDiff> {
  const oid = files.find(({ path }) => path === diff.path)?.newOid;
  const data = gaps.size === 0 || oid === undefined ? undefined : (await readBlob(store, oid, maxFileBytes))?.data;
  if (data === undefined) return openGaps(diff, new Set());
  const lines = data.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const grown = openGaps(diff, gaps, lines);
  const [coloured] = await colourDiffs(deps.markup, [grown]);
  return { ...grown, hunks: grown.hunks.map((hunk, at) => ({ ...hunk, lines: coloured?.hunks[at]?.lines ?? hunk.lines })) };
}
