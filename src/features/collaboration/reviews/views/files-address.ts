import { pullPath, type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import { type DiffState, diffParameters, readDiffState } from "../../../repositories/diffs/views/looking.ts";

/** The view options of the changes of a pull request, as in their URL. */
export interface FilesState extends DiffState {
  /** Some of its commits: `oid`, or `first..last`. Omitted for all changes. */
  readonly range?: string | undefined;
}

export const readFilesState = ({ range, ...query }: Parameters<typeof readDiffState>[0] & { readonly range: string | undefined }): FilesState => ({
  ...readDiffState(query),
  ...(range !== undefined && { range }),
});

/** Address of a pull request's files, or of an action on them, with the same view settings. */
export const filesPath = (
  repository: RepositoryName,
  number: number,
  { range, ...state }: FilesState,
  below = "",
  more: Readonly<Record<string, string | number | undefined>> = {},
): string => {
  const files = `${pullPath(repository, number)}/files`;
  const parameters = { ...diffParameters(state), ...more };
  return below === "" && range !== undefined
    ? withQuery(`${files}/${range.split("..").map(encodeURIComponent).join("..")}`, parameters)
    : withQuery(files + below, { ...parameters, range });
};

/** Address of a comment, on any page of the changes. */
export const commentPath = (repository: RepositoryName, number: number, state: DiffState, commentId: number): string =>
  `${filesPath(repository, number, { ...state, piece: 1 }, "", { comment: commentId })}#issuecomment-${commentId}`;
