import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { isForgeError } from "../../../../../core/errors.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { IssueView } from "../../model.ts";
import type { TypedQuery } from "../query-language.ts";
import { countOfRepository } from "../store/totals.ts";
import { type IssueQuery, listIssues } from "./list.ts";

/** Runs a search query on issues or pull requests; an unknown name matches nothing. Statements as `listIssues`. */
export async function findTyped(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  typed: TypedQuery,
  type: "issues" | "pulls",
  page: Page,
): Promise<Paged<IssueView>> {
  try {
    return await listIssues(deps, repository, toIssueQuery(typed, type), page);
  } catch (error) {
    if (isForgeError(error, "not_found")) return { items: [], total: 0 };
    throw error;
  }
}

/** Whether there are closed issues. One statement. */
export async function hasClosed(deps: { readonly db: Reader }, repository: RepositorySubject, type: "issues" | "pulls"): Promise<boolean> {
  return (await countOfRepository(deps.db, repository.id, { isClosed: true, isPull: type === "pulls" })) > 0;
}

const toIssueQuery = ({ state, labels, milestones, author, assignee, mentions, order, text }: TypedQuery, type: "issues" | "pulls"): IssueQuery => ({
  state,
  type,
  text,
  labels,
  milestones,
  createdBy: author,
  assignedTo: assignee,
  mentions,
  sinceMs: undefined,
  beforeMs: undefined,
  order,
});
