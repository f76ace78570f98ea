import { draftTitle } from "../draft-title.ts";
import { type Foreign, flagIn, idIn, objectIn, oidIn, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignIssue, ForeignLineComment, ForeignPull, ForeignReview } from "../tracker.ts";
import { authorOf, longest } from "./gitea-issues.ts";
import { hunkLength, inTurns, pathLength, reviewersOf } from "./gitea-pulls.ts";

export function readGithubPull(of: Foreign, [issue]: readonly ForeignIssue[]): ForeignPull[] {
  const [base, head] = [objectIn(of, "base"), objectIn(of, "head")];
  const [baseBranch, headBranch] = [textIn(base, "ref", longest.name), textIn(head, "ref", longest.name)];
  if (issue === undefined || baseBranch === "" || headBranch === "") return [];
  const baseRepoId = idIn(objectIn(base, "repo"), "id");
  const mergedMs = timeIn(of, "merged_at");
  return [
    {
      ...issue,
      title: flagIn(of, "draft") ? draftTitle(issue.title) : issue.title,
      ...{ baseBranch, headBranch, headOid: oidIn(head, "sha"), headRef: `refs/pull/${issue.number}/head`, mergeBaseOid: undefined },
      isOfRepository: baseRepoId !== 0 && idIn(objectIn(head, "repo"), "id") === baseRepoId,
      allowsMaintainerEdit: flagIn(of, "maintainer_can_modify"),
      reviewerIds: reviewersOf(of),
      // Lists do not include the user who merged.
      merged: mergedMs === null ? undefined : { mergedMs, commitOid: oidIn(of, "merge_commit_sha"), merger: authorOf(of, "merged_by") },
    },
  ];
}

const kinds: Readonly<Record<string, ForeignReview["kind"]>> = {
  APPROVED: "approve",
  CHANGES_REQUESTED: "reject",
  COMMENTED: "comment",
  // The state before the dismissal is not available.
  DISMISSED: "comment",
};

/** Reads reviews by one request per pull request, and all line comments together. */
export async function readGithubReviews(list: (path: string) => Promise<readonly Foreign[]>, pulls: readonly ForeignPull[]): Promise<readonly ForeignReview[]> {
  const comments = Map.groupBy((await list("/pulls/comments?sort=created&direction=asc")).flatMap(readLineComment), ({ reviewId }) => reviewId);
  const reviews = await inTurns(pulls, async (pull) => (await list(`/pulls/${pull.number}/reviews`)).flatMap((review) => readReview(review, pull)));
  const known = new Set(pulls.map(({ number }) => number));
  const given = reviews.map((review) => ({ ...review, comments: (comments.get(review.id) ?? []).filter((one) => one.pullNumber === review.pullNumber) }));
  const givenIds = new Set(given.map(({ id }) => id));
  // Comments without a review.
  const rest = [...comments].flatMap(([id, group]) => {
    const [first] = group;
    if (first === undefined || givenIds.has(id) || !known.has(first.pullNumber)) return [];
    const { pullNumber, author, createdMs, commitOid } = first;
    const common = { kind: "comment", entryId: 0, content: "", isStale: false, isDismissed: false } as const;
    return [{ ...common, id, pullNumber, author, createdMs, commitOid, comments: group }];
  });
  return [...given, ...rest].toSorted((a, b) => a.createdMs - b.createdMs);
}

function readReview(of: Foreign, { number, headOid }: ForeignPull): Omit<ForeignReview, "comments">[] {
  const [id, state, commitOid] = [idIn(of, "id"), textIn(of, "state", longest.name), oidIn(of, "commit_id")];
  const kind = kinds[state];
  if (id === 0 || kind === undefined) return [];
  const common = { entryId: 0, commitOid, isStale: commitOid !== headOid, isDismissed: state === "DISMISSED" };
  const createdMs = timeIn(of, "submitted_at") ?? 0;
  return [{ id, kind, pullNumber: number, ...common, content: textIn(of, "body", longest.text), author: authorOf(of), createdMs }];
}

interface LineCommentOfReview extends ForeignLineComment {
  readonly reviewId: number;
  readonly pullNumber: number;
}

function readLineComment(of: Foreign): LineCommentOfReview[] {
  const [id, path] = [idIn(of, "id"), textIn(of, "path", pathLength)];
  const pullNumber = Number(/\/pulls\/(\d{1,10})$/.exec(textIn(of, "pull_request_url", 2_000))?.[1] ?? 0);
  const [present, first] = [idIn(of, "line"), idIn(of, "original_line")];
  const line = present || first;
  if (id === 0 || path === "" || pullNumber === 0 || line === 0 || line >= 2 ** 31) return [];
  const createdMs = timeIn(of, "created_at") ?? 0;
  const firstOid = oidIn(of, "original_commit_id");
  return [
    {
      ...{ id, path, line, pullNumber, side: of.side === "LEFT" ? "old" : "new", reviewId: idIn(of, "pull_request_review_id") || id },
      // An outdated comment refers to the commit that it was written on.
      ...{ commitOid: firstOid ?? oidIn(of, "commit_id"), writtenOid: present === 0 && of.side !== "LEFT" ? firstOid : undefined },
      ...{ hunk: textIn(of, "diff_hunk", hunkLength), content: textIn(of, "body", longest.text) },
      ...{ author: authorOf(of), createdMs, updatedMs: timeIn(of, "updated_at") ?? createdMs },
    },
  ];
}
