import type { Tx } from "../../../../db/db.ts";
import { isValidTagName } from "../../../../git/objects/ref-names.ts";
import type { Oid } from "../../../../git/types.ts";
import { type ImportedFile, importFiles } from "../../../collaboration/attachments/service/import.ts";
import { importComments } from "../../../collaboration/commit-comments/service.ts";
import { type ImportedEntry, type ImportedIds, type ImportedIssue, importIssues, importReactions } from "../../../collaboration/issues/import/service.ts";
import { assignableAmong } from "../../../collaboration/issues/planning/service/assignable.ts";
import { importLabels } from "../../../collaboration/labels/service/import.ts";
import { importMilestones } from "../../../collaboration/milestones/service.ts";
import { importPulls } from "../../../collaboration/pulls/service/import.ts";
import { type ImportedReview, importRequests, importReviews } from "../../../collaboration/reviews/service/import.ts";
import { importReleases } from "../../releases/service/import.ts";
import type { ForeignComment, ForeignFile, ForeignLineComment, ForeignPull, ForeignReview, Tracker } from "../tracker.ts";
import type { BroughtFiles } from "./files.ts";
import type { PlannedPull } from "./plan-pulls.ts";
import { accountOf, type SameAccounts } from "./same-accounts.ts";

export interface ImportedTracker {
  readonly repoId: number;
  /** The user of the migration. */
  readonly actorId: number;
  /** The store of the repository's code. */
  readonly storeId: number;
  readonly tracker: Tracker;
  readonly accounts: SameAccounts;
  /** The pull requests that can be imported as such. */
  readonly pulls: readonly PlannedPull[];
  /** Full names of the imported refs. */
  readonly refNames: ReadonlySet<string>;
  readonly files: BroughtFiles;
}

/** Writes the tracker data of a new repository, in the transaction that creates it. */
export async function importTracker(tx: Tx, { repoId, actorId, storeId, tracker, accounts, pulls, refNames, files }: ImportedTracker): Promise<void> {
  const labels = pairUp(tracker.labels, await importLabels(tx, repoId, tracker.labels));
  const milestones = pairUp(tracker.milestones, await importMilestones(tx, repoId, tracker.milestones));
  const planned = new Map(pulls.map((pull) => [pull.number, pull]));
  // A pull request whose commits are missing becomes an issue with its comments.
  const found = [...new Map([...tracker.issues, ...tracker.pulls].map((one) => [one.number, one])).values()];
  const timelines = timelinesOf(tracker, planned, accounts);
  const assignable = await assignableAmong(tx, actorId, repoId, [...new Set(accounts.values())]);
  const issues = found.map(({ labelIds, milestoneId, assigneeIds, files: _, ...issue }): ImportedIssue => {
    const entries = timelines.get(issue.number) ?? [];
    return {
      ...issue,
      isPull: planned.has(issue.number),
      posterId: accountOf(accounts, issue.author),
      assigneeIds: [...new Set(assigneeIds.map((id) => accounts.get(id) ?? 0))].filter((id) => assignable.has(id)),
      labelIds: labelIds.flatMap((id) => labels.get(id) ?? []),
      milestoneId: (milestoneId !== null && milestones.get(milestoneId)) || null,
      entries: entries.map(({ entry }) => entry),
    };
  });
  const made = tracker.lastNumber > 0 ? await importIssues(tx, { repoId, issues, lastNumber: tracker.lastNumber }) : new Map<number, ImportedIds>();
  const issueIdOf = (number: number): number => made.get(number)?.id ?? 0;
  await importPulls(tx, { repoId, storeId, pulls: pulls.map((pull) => ({ ...pull, issueId: issueIdOf(pull.number) })) });
  const entryIds = entryIdsOf(timelines, made);
  await importReviews(tx, reviewsOf(tracker, planned, made, entryIds));
  const commentIds = new Map(tracker.comments.map((comment) => [comment.id, entryIds.get(comment)]));
  const reactions = tracker.reactions.flatMap(({ issueNumber, commentId: foreignId, author, ...reaction }) => {
    const [issueId, commentId] = [made.get(issueNumber)?.id, foreignId === null ? null : commentIds.get(foreignId)];
    return issueId === undefined || commentId === undefined ? [] : [{ ...reaction, issueId, commentId, author, accountId: accountOf(accounts, author) }];
  });
  await importReactions(tx, reactions);
  const onCommits = tracker.commitComments ?? [];
  await importComments(
    tx,
    repoId,
    onCommits.map((comment) => ({ ...comment, posterId: accountOf(accounts, comment.author) })),
  );
  const requests = tracker.pulls.flatMap(({ number, isClosed, reviewerIds, author }) => {
    const { headOid, baseBranch } = (!isClosed && planned.get(number)) || {};
    const known = new Set(reviewerIds.map((id) => accounts.get(id) ?? 0));
    known.delete(accountOf(accounts, author) ?? 0);
    const requested = [...known].filter((id) => assignable.has(id));
    return headOid === undefined || baseBranch === undefined
      ? []
      : requested.map((reviewerId) => ({ issueId: issueIdOf(number), reviewerId, headOid, baseBranch }));
  });
  await importRequests(tx, repoId, requests);
  const releases = tracker.releases.filter(({ tagName }) => isValidTagName(tagName));
  // A release whose tag is missing becomes a draft.
  const releaseIds = await importReleases(
    tx,
    repoId,
    releases.map(({ files: _, ...release }) => ({ ...release, isDraft: release.isDraft || !refNames.has(`refs/tags/${release.tagName}`) })),
  );
  const held = (holder: ImportedFile["holder"], its: readonly ForeignFile[]): ImportedFile[] =>
    its.flatMap((file) => {
      const taken = files.get(file);
      return taken === undefined ? [] : [{ holder, taken }];
    });
  const onReleases = releases.flatMap((release, index) => held({ issueId: null, commentId: null, releaseId: releaseIds[index] ?? 0 }, release.files));
  const onIssues = found.flatMap((issue) => held({ issueId: issueIdOf(issue.number), commentId: null, releaseId: null }, issue.files));
  const onComments = tracker.comments.flatMap((comment) => {
    const commentId = entryIds.get(comment);
    return commentId === undefined ? [] : held({ issueId: issueIdOf(comment.issueNumber), commentId, releaseId: null }, comment.files);
  });
  await importFiles(tx, repoId, [...onReleases, ...onIssues, ...onComments]);
}

/** A timeline entry and its source. */
interface TimelineEntry {
  /** Order among entries of the same second. */
  readonly place: number;
  readonly of: ForeignComment | ForeignReview | ForeignLineComment | ForeignPull;
  readonly entry: ImportedEntry;
}

/** The timelines of issues and pull requests, by number, in chronological order. */
function timelinesOf(
  { comments, reviews, pulls }: Tracker,
  planned: ReadonlyMap<number, PlannedPull>,
  accounts: SameAccounts,
): ReadonlyMap<number, readonly TimelineEntry[]> {
  const timelines = new Map<number, TimelineEntry[]>();
  const add = (number: number, of: TimelineEntry["of"], place: number, entry: ImportedEntry): void => {
    const timeline = timelines.get(number) ?? [];
    timelines.set(number, timeline);
    timeline.push({ of, place, entry });
  };
  for (const comment of comments) {
    const posterId = accountOf(accounts, comment.author);
    add(comment.issueNumber, comment, comment.id, { ...commentText(comment), posterId, kind: "comment" });
  }
  for (const review of reviews) {
    const isReview = planned.has(review.pullNumber);
    const text = commentText({ ...review, updatedMs: review.createdMs });
    if (isReview || review.content !== "") add(review.pullNumber, review, review.entryId, { ...text, kind: isReview ? "review" : "comment" });
    for (const comment of review.comments) add(review.pullNumber, comment, comment.id, { ...commentText(comment), kind: isReview ? "code" : "comment" });
  }
  for (const pull of pulls) {
    const merged = planned.get(pull.number)?.merged;
    if (pull.merged === undefined || !merged) continue;
    const { merger: author, mergedMs } = pull.merged;
    const entry = {
      ...commentText({ content: "", author, createdMs: mergedMs, updatedMs: mergedMs }),
      kind: "merge_pull",
      payload: { commitOid: merged.commitOid },
    } as const;
    add(pull.number, pull, Number.POSITIVE_INFINITY, entry);
  }
  for (const timeline of timelines.values()) timeline.sort((a, b) => a.entry.createdMs - b.entry.createdMs || a.place - b.place);
  return timelines;
}

const commentText = ({ content, author, createdMs, updatedMs }: Pick<ForeignComment, "content" | "author" | "createdMs" | "updatedMs">) => ({
  ...{ content, author, createdMs, updatedMs },
  posterId: null,
  payload: {},
});

/** The id of each imported timeline entry, by its source. */
function entryIdsOf(
  timelines: ReadonlyMap<number, readonly TimelineEntry[]>,
  issues: ReadonlyMap<number, ImportedIds>,
): ReadonlyMap<TimelineEntry["of"], number> {
  const ids = new Map<TimelineEntry["of"], number>();
  for (const [number, timeline] of timelines) {
    for (const [index, { of }] of timeline.entries()) {
      const id = issues.get(number)?.entryIds[index];
      if (id !== undefined) ids.set(of, id);
    }
  }
  return ids;
}

function reviewsOf(
  { reviews }: Tracker,
  pulls: ReadonlyMap<number, PlannedPull>,
  issues: ReadonlyMap<number, ImportedIds>,
  entryIds: ReadonlyMap<TimelineEntry["of"], number>,
): readonly ImportedReview[] {
  return reviews.flatMap((review): ImportedReview[] => {
    const pull = pulls.get(review.pullNumber);
    const issueId = issues.get(review.pullNumber)?.id;
    if (pull === undefined || issueId === undefined) return [];
    const { headOid, baseBranch } = pull;
    const { kind, content, isDismissed, isStale, createdMs } = review;
    const commitOid = review.commitOid ?? headOid;
    return [
      {
        ...{ issueId, kind, content, isDismissed, createdMs, baseBranch, commitOid },
        // A stale review is of an unknown earlier head.
        seenOid: isStale ? (commitOid === headOid ? "" : commitOid) : headOid,
        entryId: entryIds.get(review) ?? 0,
        comments: review.comments.map((comment) => ({
          ...{ path: comment.path, side: comment.side, line: comment.line, hunk: comment.hunk },
          writtenOid: writtenOidOf(comment, pull),
          commitOid: comment.commitOid ?? headOid,
          entryId: entryIds.get(comment) ?? 0,
        })),
      },
    ];
  });
}

/** The commit of the line; without one, the present head or merge base. */
function writtenOidOf({ writtenOid, side }: ForeignLineComment, { headOid, mergeBaseOid }: PlannedPull): Oid {
  if (writtenOid?.length === headOid.length) return writtenOid;
  return side === "new" ? headOid : (mergeBaseOid ?? headOid);
}

/** Maps foreign ids to ids here. */
const pairUp = (foreign: readonly { readonly id: number }[], ids: readonly number[]): ReadonlyMap<number, number> =>
  new Map(foreign.map(({ id }, index) => [id, ids[index] ?? 0]));
