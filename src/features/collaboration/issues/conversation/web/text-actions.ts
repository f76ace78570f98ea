import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { query } from "../../../../../http/query.ts";
import { issuePath, pullPath } from "../../../../../ui/addresses.ts";
import { canWriteIssue } from "../../rights.ts";
import type { TextActions } from "../views/conversation.tsx";

/** The query parameter of pages with a comment form. */
export const quoteParameter = query.text("Begins the comment with a quote: id of a comment, or `issue`");

/** @param formToken undefined for visitors */
export function textActions(
  repository: RepositorySubject,
  issue: { readonly number: number; readonly isPull: boolean },
  { canComment, formToken }: { readonly canComment: boolean; readonly formToken: string | undefined },
): TextActions {
  return {
    path: (issue.isPull ? pullPath : issuePath)(repository, issue.number),
    canQuote: canComment,
    hideToken: !repository.isArchived && canWriteIssue(repository, issue) ? formToken : undefined,
  };
}
