import type { Whitespace } from "../../../git/diff.ts";
import { pullPath, type RepositoryName, withQuery } from "../../../ui/addresses.ts";

/** How somebody looks at the files of a pull request, as the page's address says it. */
export interface FilesState {
  readonly piece: number;
  readonly whitespace: Whitespace;
  /** Empty: as the account has it. */
  readonly style: "" | "unified" | "split";
}

/** All changes, as the account has them. */
export const plainState: FilesState = { piece: 1, whitespace: "show-all", style: "" };

const whitespaces: readonly string[] = ["show-all", "ignore-all", "ignore-change", "ignore-eol"] satisfies readonly Whitespace[];
const isWhitespace = (word: string | undefined): word is Whitespace => word !== undefined && whitespaces.includes(word);

export const readFilesState = (query: {
  readonly piece: number | undefined;
  readonly whitespace: string | undefined;
  readonly style: string | undefined;
}): FilesState => ({
  piece: Math.max(1, query.piece ?? 1),
  whitespace: isWhitespace(query.whitespace) ? query.whitespace : "show-all",
  style: query.style === "split" || query.style === "unified" ? query.style : "",
});

/** Where the same is looked at in the same way. */
export const filesPath = (
  repository: RepositoryName,
  number: number,
  { piece, whitespace, style }: FilesState,
  below = "",
  more: Readonly<Record<string, string | number | undefined>> = {},
): string =>
  withQuery(`${pullPath(repository, number)}/files${below}`, {
    piece: piece === 1 ? undefined : piece,
    whitespace: whitespace === "show-all" ? undefined : whitespace,
    style,
    ...more,
  });

/** Where a comment stands, in whichever piece of the changes its lines are. */
export const commentPath = (repository: RepositoryName, number: number, state: FilesState, commentId: number): string =>
  `${filesPath(repository, number, { ...state, piece: 1 }, "", { comment: commentId })}#issuecomment-${commentId}`;

/** The place of a file among all that a pull request changes. */
export const anchorOf = (index: number): string => `file-${index + 1}`;
