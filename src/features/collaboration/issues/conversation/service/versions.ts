import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { notFound } from "../../../../../core/errors.ts";
import type { Reader } from "../../../../../db/db.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import type { IssueView, TextVersionView } from "../../model.ts";
import { getIssue, requireComment } from "../../service/find.ts";
import { listVersions } from "../store/history.ts";

/** Upper bound for the history page. */
const maxVersions = 50;

/**
 * Versions of an issue's text, or of a comment under it, newest first.
 * @param commentId empty for the issue itself
 * @throws ForgeError `not_found`, also for a comment of another issue
 */
export async function listTextVersions(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  number: string,
  commentId: string,
): Promise<{ readonly issue: IssueView; readonly versions: readonly TextVersionView[] }> {
  const issue = await getIssue(deps, repository, number);
  const comment = commentId === "" ? undefined : await requireComment(deps, repository, commentId);
  if (comment !== undefined && comment.issue.id !== issue.id) throw notFound();
  const rows = await listVersions(deps.db, { issueId: issue.id, commentId: comment?.id ?? null }, maxVersions);
  const users = await loadUsers(
    deps,
    rows.flatMap(({ editorId }) => editorId ?? []),
  );
  return { issue, versions: rows.map(({ editorId, ...text }) => ({ ...text, editor: editorId === null ? undefined : users.get(editorId) })) };
}
