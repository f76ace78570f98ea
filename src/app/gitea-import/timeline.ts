import type { CommentKind } from "../../db/tables/issues.ts";
import type { CommentPayload } from "../../features/collaboration/issues/conversation/comment-payload.ts";
import { allowedReactions } from "../../features/collaboration/issues/reactions/allowed-reactions.ts";
import { timeText } from "../../features/collaboration/issues/times/time-text.ts";
import type { Conversion } from "./context.ts";
import { recordOf } from "./json.ts";
import { type ForeignRow, flagOf, knownId, millisOf, numberOf, textOf } from "./source.ts";
import { type Adding, type ConvertedTracker, childRows } from "./tracker-input.ts";

/** Kinds of timeline entries by the numbers of Gitea. */
const kinds: Readonly<Record<number, CommentKind>> = {
  0: "comment",
  1: "reopen",
  2: "close",
  3: "issue_ref",
  4: "commit_ref",
  5: "comment_ref",
  6: "pull_ref",
  7: "label",
  8: "milestone",
  9: "assignees",
  10: "change_title",
  11: "delete_branch",
  12: "start_tracking",
  13: "stop_tracking",
  14: "add_time_manual",
  15: "cancel_tracking",
  16: "added_deadline",
  17: "modified_deadline",
  18: "removed_deadline",
  19: "add_dependency",
  20: "remove_dependency",
  21: "code",
  22: "review",
  23: "lock",
  24: "unlock",
  25: "change_target_branch",
  26: "delete_time_manual",
  27: "review_request",
  28: "merge_pull",
  29: "pull_push",
  32: "dismiss_review",
  33: "change_issue_ref",
  34: "pull_scheduled_merge",
  35: "pull_cancel_scheduled_merge",
  36: "pin",
  37: "unpin",
  38: "change_time_estimate",
};
const pendingReview = 0;
const projectTypes: readonly number[] = [30, 31];
const timeTypes: readonly number[] = [13, 14, 26];
/** Types of entries that refer to another issue. */
export const referenceTypes: readonly number[] = [3, 5, 6];
const refActions = ["none", "closes", "reopens", "neutered"] as const;

export interface AddingEntries extends Adding {
  /** All rows of the issues in `comment`. */
  readonly comments: readonly ForeignRow[];
}

/** Timeline entries with their reactions and former texts, and tracked times. References are added when all entries exist. */
export async function addTimelineRows(conversion: Conversion, tracker: ConvertedTracker, adding: AddingEntries): Promise<void> {
  const { report } = conversion;
  const { batch, comments, ids } = adding;
  const { plan, known, issues } = tracker;
  const reviews = new Map((await childRows(conversion, "review", ids)).map((row) => [numberOf(row.id), numberOf(row.type)]));
  const shownAs = (row: ForeignRow): string => `${plan.shownAs}#${issues.facts.get(numberOf(row.issue_id))?.number}`;
  for (const row of comments) {
    const type = numberOf(row.type);
    const kind = kinds[type];
    if (kind === undefined) {
      report.without(projectTypes.includes(type) ? "timeline entries about projects" : "timeline entries of unknown types", shownAs(row));
      continue;
    }
    if (referenceTypes.includes(type) && known.brokenReferences.has(numberOf(row.id))) continue;
    const review = reviews.get(numberOf(row.review_id));
    const isOfPull = issues.facts.get(numberOf(row.issue_id))?.isPull === true;
    if (kind === "code" && (review === undefined || !isOfPull)) report.without("comments on lines without a review, which become comments", shownAs(row));
    batch.add("comments", {
      id: numberOf(row.id),
      issue_id: numberOf(row.issue_id),
      repo_id: plan.id,
      kind: ownKind(kind, { review, isOfPull }),
      poster_id: knownId(row.poster_id, known.accounts.kinds),
      content: contentOf(type, textOf(row.content)),
      content_version: numberOf(row.content_version),
      payload: JSON.stringify(payloadOf(conversion, tracker, row)),
      ref_issue_id: null,
      ref_comment_id: null,
      original_author: textOf(row.original_author),
      original_author_id: numberOf(row.original_author_id),
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
  }
  const kept = new Set(comments.filter((row) => kinds[numberOf(row.type)] !== undefined).map((row) => numberOf(row.id)));
  await addReactions(conversion, tracker, { batch, ids, kept, shownAs });
  await addTimes(conversion, tracker, { batch, ids, kept, shownAs });
  await addHistory(conversion, tracker, { batch, ids, kept, shownAs });
  report.count("comments and timeline entries", batch.size("comments"));
}

/** Drafts stay hidden, even without their pull request. */
function ownKind(kind: CommentKind, { review, isOfPull }: { readonly review: number | undefined; readonly isOfPull: boolean }): CommentKind {
  if (kind === "code" && review === pendingReview) return "code_draft";
  if (kind === "code") return review !== undefined && isOfPull ? "code" : "comment";
  return kind === "review" && !isOfPull ? "comment" : kind;
}

const contentOf = (type: number, content: string): string =>
  timeTypes.includes(type) && /^\|-?\d+$/.test(content) ? timeText(Math.max(0, Number(content.slice(1)))) : content;

function payloadOf(conversion: Conversion, tracker: ConvertedTracker, row: ForeignRow): CommentPayload {
  const type = numberOf(row.type);
  const id = (column: string): number | undefined => (numberOf(row[column]) > 0 ? numberOf(row[column]) : undefined);
  const text = (column: string): string | undefined => (textOf(row[column]) === "" ? undefined : textOf(row[column]));
  const [oldRef, newRef] = [text("old_ref"), text("new_ref")];
  return {
    labelId: id("label_id"),
    milestoneId: id("milestone_id"),
    oldMilestoneId: id("old_milestone_id"),
    assigneeId: id("assignee_id"),
    isAssigneeRemoved: flagOf(row.removed_assignee) === 1 ? true : undefined,
    teamId: id("assignee_team_id"),
    oldTitle: text("old_title"),
    newTitle: text("new_title"),
    oldRef,
    newRef,
    dependencyId: id("dependent_issue_id"),
    timeId: id("time_id"),
    reviewId: id("review_id"),
    refAction: referenceTypes.includes(type) ? refActions[numberOf(row.ref_action)] : undefined,
    ...commitOf(conversion, tracker, row),
  } as CommentPayload;
}

/** The commit that an entry shows. */
function commitOf({ report }: Conversion, { plan, known, pulls }: ConvertedTracker, row: ForeignRow): Pick<CommentPayload, "commitOid" | "commitRepoId"> {
  switch (kinds[numberOf(row.type)]) {
    case "commit_ref": {
      const [, owner, name] = /^<a href="\/?(?:[^"]*\/)?([^/"]+)\/([^/"]+)\/commit\//.exec(textOf(row.content)) ?? [];
      const commitRepoId = known.repositoryIds.get(`${owner}/${name}`.toLowerCase());
      // Without the repository, its readers are unknown: the entry is not shown.
      if (commitRepoId === undefined)
        report.without("mentions in commits of unknown repositories, which are not shown", `${plan.shownAs} ${textOf(row.commit_sha)}`);
      return { commitOid: textOf(row.commit_sha), ...(commitRepoId !== undefined && { commitRepoId }) };
    }
    case "merge_pull": {
      const commitOid = pulls.byIssue.get(numberOf(row.issue_id))?.merged?.commitOid;
      return commitOid === undefined ? {} : { commitOid };
    }
    case "pull_push": {
      const ids = recordOf(row.content).commit_ids;
      const last: unknown = Array.isArray(ids) ? ids.at(-1) : undefined;
      return typeof last === "string" ? { commitOid: last } : {};
    }
    default:
      return {};
  }
}

interface AddingChildren extends Adding {
  /** Imported timeline entries. */
  readonly kept: ReadonlySet<number>;
  readonly shownAs: (row: ForeignRow) => string;
}

async function addReactions(conversion: Conversion, { known }: ConvertedTracker, { batch, ids, kept, shownAs }: AddingChildren): Promise<void> {
  const used = new Set<string>();
  for (const row of await childRows(conversion, "reaction", ids)) {
    const [commentId, accountId, content, author] = [numberOf(row.comment_id), numberOf(row.user_id), textOf(row.type), textOf(row.original_author)];
    const key = `${numberOf(row.issue_id)} ${commentId} ${accountId} ${content}`;
    const isUser = known.accounts.kinds.get(accountId) === "user";
    const isAllowed = allowedReactions.some((allowed) => allowed === content);
    if (!isAllowed || (!isUser && author === "") || (isUser && used.has(key)) || (commentId > 0 && !kept.has(commentId))) {
      conversion.report.without("reactions that Hearth does not have, or without an account or a comment", `${content} on ${shownAs(row)}`);
      continue;
    }
    used.add(key);
    batch.add("reactions", {
      id: numberOf(row.id),
      issue_id: numberOf(row.issue_id),
      comment_id: commentId > 0 ? commentId : null,
      account_id: isUser ? accountId : null,
      original_author: author,
      original_author_id: numberOf(row.original_author_id),
      content,
      created_ms: millisOf(row.created_unix),
    });
  }
  conversion.report.count("reactions", batch.size("reactions"));
}

async function addTimes(conversion: Conversion, { plan, known }: ConvertedTracker, { batch, ids, shownAs }: AddingChildren): Promise<void> {
  for (const row of await childRows(conversion, "tracked_time", ids)) {
    const accountId = numberOf(row.user_id);
    if (known.accounts.kinds.get(accountId) !== "user") {
      conversion.report.without("tracked times of accounts that no longer exist", shownAs(row));
      continue;
    }
    batch.add("tracked_times", {
      id: numberOf(row.id),
      issue_id: numberOf(row.issue_id),
      repo_id: plan.id,
      account_id: accountId,
      seconds: numberOf(row.time),
      is_deleted: flagOf(row.deleted),
      created_ms: millisOf(row.created_unix),
    });
  }
  conversion.report.count("tracked times", batch.size("tracked_times"));
}

/** Gitea stores all texts with the current one, which is the last. */
async function addHistory(conversion: Conversion, { known }: ConvertedTracker, { batch, ids, kept, shownAs }: AddingChildren): Promise<void> {
  const rows = await childRows(conversion, "issue_content_history", ids);
  const last = new Map(rows.map((row) => [`${numberOf(row.issue_id)} ${numberOf(row.comment_id)}`, numberOf(row.id)]));
  for (const row of rows) {
    const [id, commentId] = [numberOf(row.id), numberOf(row.comment_id)];
    if (last.get(`${numberOf(row.issue_id)} ${commentId}`) === id) continue;
    if (flagOf(row.is_deleted) === 1 || (commentId > 0 && !kept.has(commentId))) {
      conversion.report.without("former texts that are deleted or without a comment", shownAs(row));
      continue;
    }
    batch.add("content_history", {
      id,
      issue_id: numberOf(row.issue_id),
      comment_id: commentId > 0 ? commentId : null,
      editor_id: knownId(row.poster_id, known.accounts.kinds),
      content: textOf(row.content_text),
      written_ms: millisOf(row.edited_unix),
    });
  }
}
