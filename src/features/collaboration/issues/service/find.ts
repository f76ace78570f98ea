import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Reader } from "../../../../db/db.ts";
import { findCommentRow } from "../conversation/store/comments.ts";
import type { CommentRow, IssueRow, IssueView } from "../model.ts";
import { canReadIssue } from "../rights.ts";
import { findIssueRow, listIdsByNumbers, loadIssueRows } from "../store/rows.ts";
import { loadIssuesInOrder, loadIssueViews, onlyLocation } from "./loaders.ts";

interface ReadDeps {
  readonly db: Reader;
}

/**
 * Finds an issue or pull request by its number in a path.
 * @throws ForgeError `not_found`, also if the caller cannot read it
 */
export async function requireIssue({ db }: ReadDeps, repository: RepositorySubject, number: string | number): Promise<IssueRow> {
  const wanted = typeof number === "number" ? number : readId(number);
  const row = wanted === 0 ? undefined : await findIssueRow(db, repository.id, wanted);
  if (row === undefined || !canReadIssue(repository, row)) throw notFound();
  return row;
}

/** Issues by id, without access checks: the caller authorizes. One statement. */
export const loadIssueRowsById = (deps: ReadDeps, ids: readonly number[]): Promise<ReadonlyMap<number, IssueRow>> => loadIssueRows(deps.db, ids);

/** @throws ForgeError `not_found` */
export async function getIssue(deps: ReadDeps, repository: RepositorySubject, number: string | number): Promise<IssueView> {
  const [view] = await loadIssueViews(deps, [await requireIssue(deps, repository, number)], onlyLocation(repository));
  if (view === undefined) throw notFound();
  return view;
}

/** Issues and pull requests with these numbers that the caller can read, newest first. A constant number of statements. */
export async function listNumbered(deps: ReadDeps, repository: RepositorySubject, numbers: readonly number[]): Promise<readonly IssueView[]> {
  const found = await loadIssuesInOrder(deps, await listIdsByNumbers(deps.db, repository.id, numbers), onlyLocation(repository));
  return found.filter((issue) => canReadIssue(repository, issue));
}

/**
 * Finds a timeline entry of any kind under an issue of the repository.
 * @throws ForgeError `not_found`, also if the caller cannot read the issue
 */
export async function requireComment({ db }: ReadDeps, repository: RepositorySubject, id: string): Promise<CommentRow> {
  const row = await findCommentRow(db, repository.id, readId(id));
  if (row === undefined || !canReadIssue(repository, row.issue)) {
    throw notFound("not found", { details: [`comment does not exist [id: ${readId(id)}, issue_id: 0]`] });
  }
  return row;
}
