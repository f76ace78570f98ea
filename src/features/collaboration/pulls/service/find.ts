import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { requireIssue } from "../../issues/service/find.ts";
import type { FoundPull, PullView } from "../model.ts";
import { findPullRow } from "../store/rows.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { loadPullViews } from "./loaders.ts";

/**
 * Finds a pull request by its number in a path. Two statements.
 * @throws ForgeError `not_found`, also for an issue, and if the caller cannot read it
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
