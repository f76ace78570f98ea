import { pullPath, type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import { type DiffState, diffParameters } from "../../../repositories/diffs/views/looking.ts";

/** Where the files of a pull request are looked at in the same way. */
export const filesPath = (
  repository: RepositoryName,
  number: number,
  state: DiffState,
  below = "",
  more: Readonly<Record<string, string | number | undefined>> = {},
): string => withQuery(`${pullPath(repository, number)}/files${below}`, { ...diffParameters(state), ...more });

/** Where a comment stands, in whichever piece of the changes its lines are. */
export const commentPath = (repository: RepositoryName, number: number, state: DiffState, commentId: number): string =>
  `${filesPath(repository, number, { ...state, piece: 1 }, "", { comment: commentId })}#issuecomment-${commentId}`;
