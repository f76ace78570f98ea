import { pullPath, type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import { type DiffState, diffParameters } from "../../../repositories/diffs/views/looking.ts";

/** Address of a pull request's files with the same view settings. */
export const filesPath = (
  repository: RepositoryName,
  number: number,
  state: DiffState,
  below = "",
  more: Readonly<Record<string, string | number | undefined>> = {},
): string => withQuery(`${pullPath(repository, number)}/files${below}`, { ...diffParameters(state), ...more });

/** Address of a comment, on any page of the changes. */
export const commentPath = (repository: RepositoryName, number: number, state: DiffState, commentId: number): string =>
  `${filesPath(repository, number, { ...state, piece: 1 }, "", { comment: commentId })}#issuecomment-${commentId}`;
