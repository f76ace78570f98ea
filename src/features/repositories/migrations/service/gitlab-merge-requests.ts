import { draftTitle } from "../draft-title.ts";
import { type Foreign, flagIn, idIn, objectIn, objectsIn, oidIn, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignComment, ForeignIssue, ForeignLineComment, ForeignPull, ForeignReview } from "../tracker.ts";
import { longest } from "./gitea-issues.ts";
import { inTurns, pathLength, reviewersOf } from "./gitea-pulls.ts";
import { gitlabAuthor, readNote } from "./gitlab-items.ts";

export type ListGitlab = (path: string) => Promise<readonly Foreign[]>;

/** @param offset added to the number */
export function readMergeRequest(of: Foreign, [issue]: readonly ForeignIssue[], offset: number): ForeignPull[] {
  const [baseBranch, headBranch] = [textIn(of, "target_branch", longest.name), textIn(of, "source_branch", longest.name)];
  if (issue === undefined || baseBranch === "" || headBranch === "") return [];
  const mergedMs = of.state === "merged" ? (timeIn(of, "merged_at") ?? issue.updatedMs) : undefined;
  const commitOid = oidIn(of, "merge_commit_sha") ?? oidIn(of, "squash_commit_sha");
  const target = idIn(of, "target_project_id");
  return [
    {
      ...issue,
      title: flagIn(of, "draft") ? draftTitle(issue.title) : issue.title,
      number: issue.number + offset,
      ...{ baseBranch, headBranch, headOid: oidIn(of, "sha"), headRef: `refs/merge-requests/${issue.number}/head`, mergeBaseOid: undefined },
      isOfRepository: target !== 0 && idIn(of, "source_project_id") === target,
      allowsMaintainerEdit: flagIn(of, "allow_collaboration"),
      reviewerIds: reviewersOf(of, "reviewers"),
      merged: mergedMs === undefined ? undefined : { mergedMs, commitOid, merger: gitlabAuthor(of, of.merge_user ? "merge_user" : "merged_by") },
    },
  ];
}

export interface MergeRequests {
  readonly pulls: readonly ForeignPull[];
  readonly offset: number;
  /** Whether an item is public, or confidential ones are imported, too. */
  readonly mayCome: (of: Foreign) => boolean;
}

interface Discussions {
  readonly comments: readonly ForeignComment[];
  readonly reviews: readonly ForeignReview[];
}

/** Comments and approvals of merge requests; each thread on a line becomes a review. */
export async function readMergeReviews(list: ListGitlab, { pulls, offset, mayCome }: MergeRequests): Promise<Discussions> {
  const discussions = await inTurns(pulls, async (pull): Promise<readonly Discussions[]> => {
    const path = `/merge_requests/${pull.number - offset}`;
    const discussions = await list(`${path}/discussions`);
    const threads = discussions.map((discussion) => readThread(objectsIn(discussion.notes).filter(mayCome), pull));
    return [...threads, { comments: [], reviews: await readApprovals(list, path, pull) }];
  });
  return { comments: discussions.flatMap(({ comments }) => comments), reviews: discussions.flatMap(({ reviews }) => reviews) };
}

function readThread(notes: readonly Foreign[], pull: ForeignPull): Discussions {
  const lines = notes.flatMap((note) => readLineComment(note));
  const [first] = lines;
  if (first === undefined) return { reviews: [], comments: notes.flatMap((note) => readNote(note, pull.number)) };
  const { id, author, createdMs, commitOid } = first;
  const isStale = commitOid !== pull.headOid;
  const common = { kind: "comment", entryId: 0, content: "", isDismissed: false } as const;
  return { comments: [], reviews: [{ ...common, id, author, createdMs, commitOid, isStale, pullNumber: pull.number, comments: lines }] };
}

/** Reads comments on text positions; comments on images apply to the whole file. */
function readLineComment(of: Foreign): ForeignLineComment[] {
  const position = objectIn(of, "position");
  const [newLine, oldLine] = [idIn(position, "new_line"), idIn(position, "old_line")];
  const side = newLine > 0 ? "new" : "old";
  const path = textIn(position, side === "new" ? "new_path" : "old_path", pathLength);
  const [note] = readNote(of, 0);
  const line = newLine || oldLine;
  if (note === undefined || path === "" || line === 0 || line >= 2 ** 31) return [];
  const { id, content, author, createdMs, updatedMs } = note;
  const commitOid = oidIn(position, "head_sha");
  return [
    {
      ...{ id, path, side, line, commitOid, content, author, createdMs, updatedMs, hunk: "" },
      writtenOid: side === "new" ? commitOid : oidIn(position, "base_sha"),
    },
  ];
}

async function readApprovals(list: ListGitlab, path: string, pull: ForeignPull): Promise<readonly ForeignReview[]> {
  const [approvals = {}] = await list(`${path}/approvals`);
  return objectsIn(approvals.approved_by).map((approval) => {
    const author = gitlabAuthor(approval, "user");
    const common = { kind: "approve", entryId: 0, content: "", isStale: false, isDismissed: false, comments: [] } as const;
    return { ...common, author, id: 0, pullNumber: pull.number, commitOid: pull.headOid, createdMs: timeIn(approval, "approved_at") ?? pull.updatedMs };
  });
}
