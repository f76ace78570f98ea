import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { requireIssue } from "../../issues/service/find.ts";
import type { FoundPull, PullView } from "../model.ts";
import { findPullRow } from "../store/rows.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { loadPullViews } from "./loaders.ts";

/**
 * A pull request by its number as a path has it. Two statements.
 * @throws ForgeError `not_found`, the same for one that the caller may not read and for an issue
 */
export async function findPull(deps: { readonly db: Reader }, repository: RepositorySubject, number: string | number): Promise<FoundPull> {
  const issue = await requireIssue(deps, repository, number);
  const row = issue.isPull ? await findPullRow(deps.db, issue.id) : undefined;
  if (row === undefined) throw notFound();
  return { ...row, issue };
}

/** @throws ForgeError `not_found` as {@link findPull} */
export async function getPull(deps: PullDeps, viewing: PullViewing, number: string | number): Promise<PullView> {
  const pull = await findPull(deps, viewing.repository, number);
  const [view] = await loadPullViews(deps, viewing, [pull], { sizes: true });
  if (view === undefined) throw notFound();
  return view;
}
