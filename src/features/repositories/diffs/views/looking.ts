import type { Whitespace } from "../../../../git/history/diff.ts";

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
}

/** All changes, with the account's settings. */
export const plainState: DiffState = { list: 1, piece: 1, part: 1, whitespace: "show-all", style: "" };

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
}): DiffState => ({
  list: Math.min(Math.max(1, query.list ?? 1), maxList),
  piece: Math.max(1, query.piece ?? 1),
  part: Math.min(Math.max(1, query.part ?? 1), maxPart),
  whitespace: isWhitespace(query.whitespace) ? query.whitespace : "show-all",
  style: query.style === "split" || query.style === "unified" ? query.style : "",
});

/** Corresponds to a million files. */
const maxList = 500;
/** No displayed file has lines beyond this part. */
const maxPart = 1_000_000;

/** Parses the numbers of the opened gaps. */
export const readGaps = (numbers: readonly string[]): ReadonlySet<number> =>
  new Set(numbers.map(Number).filter((gap) => Number.isSafeInteger(gap) && gap >= 0));

/** The query parameters for view options. */
export const diffParameters = ({ list, piece, part, whitespace, style }: DiffState): Parameters => ({
  list: list === 1 ? undefined : list,
  piece: piece === 1 ? undefined : piece,
  part: part === 1 ? undefined : part,
  whitespace: whitespace === "show-all" ? undefined : whitespace,
  style,
});

export const anchorOf = (index: number): string => `file-${index + 1}`;
