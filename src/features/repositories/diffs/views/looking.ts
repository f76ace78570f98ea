import type { Whitespace } from "../../../../git/history/diff.ts";

/** How somebody looks at changes, as the page's address says it. */
export interface DiffState {
  /** Which part of the list of files, from 1. */
  readonly list: number;
  /** Which of its pieces, from 1. */
  readonly piece: number;
  /** Of one file alone: which part of its lines, from 1. */
  readonly part: number;
  readonly whitespace: Whitespace;
  /** Empty: as the account has it. */
  readonly style: "" | "unified" | "split";
}

/** All changes, as the account has them. */
export const plainState: DiffState = { list: 1, piece: 1, part: 1, whitespace: "show-all", style: "" };

type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Where the same changes are looked at in another way. */
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

/** A million files. */
const maxList = 500;
/** Behind this there are no lines of any file that is shown. */
const maxPart = 1_000_000;

/** The gaps that are open, by their numbers. */
export const readGaps = (numbers: readonly string[]): ReadonlySet<number> =>
  new Set(numbers.map(Number).filter((gap) => Number.isSafeInteger(gap) && gap >= 0));

/** What the address of a page says of how its changes are looked at. */
export const diffParameters = ({ list, piece, part, whitespace, style }: DiffState): Parameters => ({
  list: list === 1 ? undefined : list,
  piece: piece === 1 ? undefined : piece,
  part: part === 1 ? undefined : part,
  whitespace: whitespace === "show-all" ? undefined : whitespace,
  style,
});

/** The place of a file among all that has changed. */
export const anchorOf = (index: number): string => `file-${index + 1}`;
