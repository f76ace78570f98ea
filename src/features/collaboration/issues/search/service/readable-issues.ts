import type { Actor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import type { IssueView } from "../../model.ts";
import { canReadIssue } from "../../rights.ts";
import { loadIssueViews } from "../../service/loaders.ts";
import { loadIssueRows } from "../../store/rows.ts";

/**
 * Issues of any repository that the caller can read, in the order of `ids`, for issues shown on another issue.
 * @param here the repository whose right is known; all others cost one statement together
 */
export async function loadReadableIssues(deps: { readonly db: Reader }, actor: Actor, here: RepositorySubject, ids: readonly number[]): Promise<IssueView[]> {
  if (ids.length === 0) return [];
  const rows = await loadIssueRows(deps.db, ids);
  const others = [...rows.values()].flatMap(({ repoId }) => (repoId === here.id ? [] : repoId));
  const subjects = new Map([[here.id, here], ...(others.length === 0 ? [] : await findRepositoriesById(deps, others, actor))]);
  const readable = ids.flatMap((id) => {
    const row = rows.get(id);
    const subject = row && subjects.get(row.repoId);
    return row !== undefined && subject !== undefined && canReadIssue(subject, row) ? row : [];
  });
  return loadIssueViews(deps, readable, subjects);
}
