import type { Whitespace } from "../../../../git/history/diff.ts";
import { partLines } from "../file-piece.ts";

/** The view options of a diff page, as in its URL. */
export interface DiffState {
  /** Which part of the list of files, starting at 1. */
  readonly list: number;
  /** Which of its pieces, starting at 1. */
  readonly piece: number;
  /** Which part of a single file's lines, starting at 1. */
  readonly part: number;
  readonly whitespace: Whitespace;
  /** Empty for the account's setting. */
  readonly style: "" | "unified" | "split";
  /** Whether the changes of all files are collapsed; empty for those of viewed files only. */
  readonly folded: "" | "true" | "false";
}

/** All changes, with the account's settings. */
export const plainState: DiffState = { list: 1, piece: 1, part: 1, whitespace: "show-all", style: "", folded: "" };

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Builds the URL of the same changes with other view options. */
export type DiffAddress = (state: DiffState, more?: Parameters) => string;

const whitespaces: readonly string[] = ["show-all", "ignore-all", "ignore-change", "ignore-eol"] satisfies readonly Whitespace[];
const isWhitespace = (word: string | undefined): word is Whitespace => word !== undefined && whitespaces.includes(word);

export const readDiffState = (query: {
  readonly list: number | undefined;
  readonly piece: number | undefined;
  readonly part: number | undefined;
  readonly whitespace: string | undefined;
  readonly style: string | undefined;
  readonly folded: string | undefined;
}): DiffState => ({
  list: Math.min(Math.max(1, query.list ?? 1), maxList),
  piece: Math.max(1, query.piece ?? 1),
  part: Math.min(Math.max(1, query.part ?? 1), maxPart),
  whitespace: isWhitespace(query.whitespace) ? query.whitespace : "show-all",
  style: query.style === "split" || query.style === "unified" ? query.style : "",
  folded: query.folded === "true" || query.folded === "false" ? query.folded : "",
});

/** Corresponds to a million files. */
const maxList = 500;
/** No displayed file has lines beyond this part. */
const maxPart = 1_000_000;

/** The number of gaps is smaller than that of the lines of a part of a file. */
const everyGap: ReadonlySet<number> = new Set(Array.from({ length: partLines }, (_, gap) => gap));

/** Whether all gaps of a file are opened. */
export const opensAll = (gaps: ReadonlySet<number>): boolean => gaps === everyGap;

/** Parses the numbers of the opened gaps, or `all`. */
export const readGaps = (numbers: readonly string[]): ReadonlySet<number> =>
  numbers[0] === "all" ? everyGap : new Set(numbers.map(Number).filter((gap) => Number.isSafeInteger(gap) && gap >= 0));

/** The query parameters for view options. */
export const diffParameters = ({ list, piece, part, whitespace, style, folded }: DiffState): Parameters => ({
  list: list === 1 ? undefined : list,
  piece: piece === 1 ? undefined : piece,
  part: part === 1 ? undefined : part,
  whitespace: whitespace === "show-all" ? undefined : whitespace,
  style,
  folded,
});

export const anchorOf = (index: number): string => `file-${index + 1}`;
