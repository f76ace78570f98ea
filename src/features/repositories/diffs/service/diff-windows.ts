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

/** Two commits of a store, and the requested part of the diff between them. */
export interface PieceQuery {
  readonly store: GitStore;
  /** Undefined for the empty tree. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
  readonly whitespace: Whitespace;
  /** Which part of the list of files, starting at 1. Piece numbers and file indexes are relative to it. */
  readonly list: number;
  /** Which piece, starting at 1. */
  readonly piece: number;
  /** Selects the piece with this file instead, by its old or new name, if the file changed. */
  readonly withPath?: string | undefined;
  /** Selects one file alone, by its index. */
  readonly only: number | undefined;
  /** Which part of that file's lines, starting at 1. */
  readonly part: number;
  /** The gaps of that file to open. */
  readonly gaps: ReadonlySet<number>;
  readonly signal?: AbortSignal | undefined;
}

/** Gaps can be opened in files up to this size. */
const maxFileBytes = 512 * 1024;

/**
 * A piece of a diff as shown on a page. Two processes, none if it is cached; no statement.
 * @throws ForgeError `not_found` for a file that did not change, `refused` if there are too many changes to list
 */
export async function readPiece(deps: PieceDeps, requested: PieceQuery): Promise<FilesPiece> {
  const { input, list } = await findList(requested);
  const { fromOid, toOid } = input;
  const files = list.files.slice(0, maxListed);
  const starts = pieceStarts(files);
  const piece = pieceWith(files, starts, input.withPath) ?? Math.min(Math.max(1, input.piece), starts.length);
  const wanted = indexesOf(files, starts, { ...input, piece });
  const texts = wanted.filter((index) => input.only !== undefined || !isLong(files[index] as ChangedFile));
  const wantedFiles = { files: texts.map((index) => files[index] as ChangedFile), total: list.fileCount };
  const { files: diffs, isCut, hasNextPart } = await readDiffs(deps, input, wantedFiles);
  const isWhole = input.part === 1 && !hasNextPart;
  const open = async (diff: FileDiff): Promise<OpenedDiff> => (isWhole ? opened(deps, input, files, diff) : withoutGaps(diff));
  const byPath = new Map(await Promise.all(diffs.map(async (diff) => [diff.path, await open(diff)] as const)));
  const shown = wanted.map((index): ShownChange => {
    const file = files[index] as ChangedFile;
    const diff = byPath.get(file.path);
    return { index, file, diff, isLong: input.only === undefined && isLong(file), large: diff && largeChangeOf(diff) };
  });
  const { fileCount, additions, deletions } = list;
  return {
    fromOid,
    toOid,
    files,
    fileCount,
    list: input.list,
    hasNextList: skippedBy(input) + files.length < fileCount,
    additions,
    deletions,
    piece,
    starts,
    shown,
    isAlone: input.only !== undefined,
    part: input.part,
    hasNextPart,
    isCut,
  };
}

/** Maximum number of list parts searched for a file. */
const maxSearched = 10;

type ChangesList = Pick<FilesPiece, "files" | "fileCount" | "additions" | "deletions">;

/** The requested part of the list, or the first following one that contains the requested file. */
async function findList(input: PieceQuery): Promise<{ readonly input: PieceQuery; readonly list: ChangesList }> {
  const first = await listChanges(input);
  const { withPath } = input;
  const last = withPath === undefined ? input.list : Math.min(input.list + maxSearched, Math.ceil(first.fileCount / maxListed));
  const holds = ({ files }: ChangesList): boolean => files.slice(0, maxListed).some(({ path, oldPath }) => path === withPath || oldPath === withPath);
  if (holds(first)) return { input, list: first };
  for (let at = input.list + 1; at <= last; at += 1) {
    const later = { ...input, list: at };
    const list = await listChanges(later);
    if (holds(list)) return { input: later, list };
  }
  return { input, list: first };
}

const skippedBy = ({ list }: Pick<PieceQuery, "list">): number => (list - 1) * maxListed;

/** A part of the list of files; the totals count all files. */
async function listChanges(input: PieceQuery): Promise<ChangesList> {
  const { store, fromOid, toOid, whitespace, signal } = input;
  const skipFiles = skippedBy(input);
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
  /** Number of all files, of which these are a part. */
  readonly total: number;
}

/** Limits the output of git; readers usually stop earlier. */
const maxTextBytes = 8 * 1024 * 1024;
/** The same limit when reading a part of one file. */
const maxFileTextBytes = 256 * 1024 * 1024;

async function readDiffs(deps: PieceDeps, input: PieceQuery, { files, total }: WantedFiles): Promise<ShownDiffs> {
  const { store, fromOid, toOid, whitespace, signal, part } = input;
  if (files.length === 0) return { files: [], isCut: false, hasNextPart: false };
  const names = files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
  const isNamed = names.every((path) => path.isWellFormed());
  const paths = files.length === total || !isNamed ? undefined : names;
  const isAlone = input.only !== undefined && isNamed;
  const key = createHash("sha256")
    .update(JSON.stringify([store.key, fromOid, toOid, whitespace, paths, isAlone && part]))
    .digest("base64");
  return deps.shownDiffs.keep(key, signal, async (shared) => {
    const { stdout } = await streamDiff(store, fromOid, toOid, { whitespace, signal: shared, maxBytes: isAlone ? maxFileTextBytes : maxTextBytes, paths });
    const read = isAlone ? await readPart(stdout, part) : { ...(await readBounded(stdout)), hasMore: false };
    return { files: await colourDiffs(deps.markup, parseUnifiedDiff(read.text)), isCut: read.isCut, hasNextPart: read.hasMore };
  });
}

/** More text would make the page slow in browsers. */
const maxPageBytes = 768 * 1024;

/** A part of the lines of one file's diff. */
const readPart = (stream: Readable, part: number): Promise<DiffWindow> =>
  readWindow(stream as AsyncIterable<Buffer>, { skip: (part - 1) * partLines, take: partLines, maxBytes: maxPageBytes });

/** Reads as much of a diff as a page shows. Unread output ends with its process. */
async function readBounded(stream: Readable): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream, which ends the process.
    if (size > maxPageBytes) break;
  }
  return { text: Buffer.concat(chunks).subarray(0, maxPageBytes).toString("utf8"), isCut: size > maxPageBytes };
}

/** A file's diff with the requested gaps opened. */
async function opened(deps: PieceDeps, { store, gaps }: PieceQuery, files: readonly ChangedFile[], diff: FileDiff): Promise<OpenedDiff> {
  const oid = files.find(({ path }) => path === diff.path)?.newOid;
  const data = gaps.size === 0 || oid === undefined ? undefined : (await readBlob(store, oid, maxFileBytes))?.data;
  // A file that is too large keeps no link that opens nothing.
  if (data === undefined) return gaps.size === 0 ? openGaps(diff, new Set()) : withoutGaps(diff);
  const lines = data.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const grown = openGaps(diff, gaps, lines);
  const [coloured] = await colourDiffs(deps.markup, [grown]);
  return { ...grown, hunks: grown.hunks.map((hunk, at) => ({ ...hunk, lines: coloured?.hunks[at]?.lines ?? hunk.lines })) };
}
