import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { isForgeError } from "../../../../../core/errors.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { IssueView } from "../../model.ts";
import { hasReadableIssues } from "../../rights.ts";
import { getIssue } from "../../service/find.ts";
import { listIssues } from "./list.ts";

const most = 8;
const page = { page: 1, limit: most, offset: 0 };
const anything = {
  state: "all",
  type: "",
  labels: [],
  milestones: [],
  createdBy: "",
  assignedTo: "",
  mentions: "",
  sinceMs: undefined,
  beforeMs: undefined,
  order: "newest",
} as const;

/**
 * Suggests issues and pull requests of a repository that the caller can read: the one with that number first, then matches of the words.
 */
export async function suggestIssues(deps: { readonly db: Reader }, repository: RepositorySubject, typed: string): Promise<readonly IssueView[]> {
  if (!hasReadableIssues(repository)) return [];
  const numbered = /^\d{1,9}$/.test(typed) ? await orNone(getIssue(deps, repository, typed)) : undefined;
  const { items } = await listIssues(deps, repository, { ...anything, text: typed }, page);
  const others = items.filter(({ id }) => id !== numbered?.id);
  return [...(numbered === undefined ? [] : [numbered]), ...others].slice(0, most);
}

const orNone = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
