import { type Foreign, flagIn, idIn, objectIn, objectsIn, oidIn, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignLineComment, ForeignMerge, ForeignPull, ForeignReview } from "../tracker.ts";
import { authorOf, longest, readIssue } from "./gitea-issues.ts";

export const pathLength = 4_096;
export const hunkLength = 8_192;
/** Number of concurrent requests for details of issues or pull requests. */
const atOnce = 4;

export function readPull(of: Foreign): ForeignPull[] {
  const [issue] = readIssue(of);
  const [base, head] = [objectIn(of, "base"), objectIn(of, "head")];
  const [baseBranch, headBranch] = [textIn(base, "ref", longest.name), branchOf(head)];
  if (issue === undefined || baseBranch === "" || headBranch === "") return [];
  const merged = readMerge(of);
  const repoId = idIn(base, "repo_id");
  return [
    {
      ...issue,
      ...(merged !== undefined && { isClosed: true, closedMs: issue.closedMs ?? merged.mergedMs }),
      baseBranch,
      headBranch,
      isOfRepository: repoId !== 0 && idIn(head, "repo_id") === repoId,
      headOid: oidIn(head, "sha"),
      headRef: `refs/pull/${issue.number}/head`,
      mergeBaseOid: oidIn(of, "merge_base"),
      allowsMaintainerEdit: flagIn(of, "allow_maintainer_edit"),
      reviewerIds: reviewersOf(of),
      merged,
    },
  ];
}

export const reviewersOf = (of: Foreign, member = "requested_reviewers"): number[] => objectsIn(of[member]).map((user) => idIn(user, "id"));

/** The label keeps the name of a deleted branch, while the ref changes. */
const branchOf = (head: Foreign): string => (textIn(head, "label", longest.name) || textIn(head, "ref", longest.name)).replace(/^[^:]*:/, "");

function readMerge(of: Foreign): ForeignMerge | undefined {
  if (!flagIn(of, "merged")) return undefined;
  const mergedMs = timeIn(of, "merged_at") ?? timeIn(of, "closed_at") ?? 0;
  return { commitOid: oidIn(of, "merge_commit_sha"), mergedMs, merger: authorOf(of, "merged_by") };
}

const kinds: Readonly<Record<string, ForeignReview["kind"]>> = { APPROVED: "approve", REQUEST_CHANGES: "reject", COMMENT: "comment" };

/** Submitted reviews; pending ones are skipped. */
export async function readReviews(list: (path: string) => Promise<readonly Foreign[]>, pulls: readonly ForeignPull[]): Promise<readonly ForeignReview[]> {
  const read = async ({ number }: ForeignPull): Promise<readonly ForeignReview[]> => {
    const reviews: ForeignReview[] = [];
    for (const found of await list(`/pulls/${number}/reviews?`)) {
      const review = readReview(found, number);
      if (review === undefined) continue;
      const comments = idIn(found, "comments_count") === 0 ? [] : await list(`/pulls/${number}/reviews/${review.id}/comments?`);
      reviews.push({ ...review, comments: comments.flatMap(readLineComment) });
    }
    return reviews;
  };
  return inTurns(pulls, read);
}

/** Requests the details of many items, with limited concurrency. */
export async function inTurns<T, R>(items: readonly T[], askAbout: (item: T) => Promise<readonly R[]>): Promise<readonly R[]> {
  const found: R[] = [];
  for (let at = 0; at < items.length; at += atOnce) found.push(...(await Promise.all(items.slice(at, at + atOnce).map(askAbout))).flat());
  return found;
}

export function readReview(of: Foreign, pullNumber: number): Omit<ForeignReview, "comments"> | undefined {
  const [id, kind] = [idIn(of, "id"), kinds[textIn(of, "state", longest.name)]];
  if (id === 0 || kind === undefined) return undefined;
  const entryId = Number(/#issuecomment-(\d{1,15})$/.exec(textIn(of, "html_url", 2_000))?.[1] ?? 0);
  const common = { entryId, commitOid: oidIn(of, "commit_id"), isStale: flagIn(of, "stale"), isDismissed: flagIn(of, "dismissed") };
  return { id, kind, pullNumber, ...common, content: textIn(of, "body", longest.text), author: authorOf(of), createdMs: timeIn(of, "submitted_at") ?? 0 };
}

export function readLineComment(of: Foreign): ForeignLineComment[] {
  const [id, path] = [idIn(of, "id"), textIn(of, "path", pathLength)];
  const [newLine, oldLine] = [idIn(of, "position"), idIn(of, "original_position")];
  if (id === 0 || path === "" || newLine + oldLine === 0 || newLine >= 2 ** 31 || oldLine >= 2 ** 31) return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  return [
    {
      ...{ id, path, side: newLine > 0 ? "new" : "old", line: newLine > 0 ? newLine : oldLine },
      ...{ commitOid: oidIn(of, "commit_id"), writtenOid: undefined, hunk: textIn(of, "diff_hunk", hunkLength), content: textIn(of, "body", longest.text) },
      ...{ author: authorOf(of), createdMs, updatedMs: timeIn(of, "updated_at") ?? createdMs },
    },
  ];
}
