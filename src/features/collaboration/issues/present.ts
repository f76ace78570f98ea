import { type Actor, anonymous } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import { wholeText } from "../../../core/whole-text.ts";
import type { Attachment } from "../../../wire/attachment.ts";
import type { Comment, TimelineComment } from "../../../wire/comment.ts";
import type { Issue, PullRequestMeta } from "../../../wire/issue.ts";
import type { Label } from "../../../wire/label.ts";
import type { Milestone } from "../../../wire/milestone.ts";
import type { Reaction } from "../../../wire/reaction.ts";
import type { StopWatch, TrackedTime } from "../../../wire/tracked-time.ts";
import type { User } from "../../../wire/user.ts";
import { ghost } from "../../accounts/users/ghost.ts";
import type { UserView } from "../../accounts/users/model.ts";
import { presentUser } from "../../accounts/users/present.ts";
import { presentTeamWithOrganization } from "../../organizations/teams/present.ts";
import type { LabelView } from "../labels/model.ts";
import { presentLabel } from "../labels/present.ts";
import type { MilestoneView } from "../milestones/model.ts";
import { presentMilestone } from "../milestones/present.ts";
import { isDraftTitle } from "./draft.ts";
import type {
  AttachmentView,
  CommentedIssue,
  CommentView,
  IssueLocation,
  IssueView,
  ReactionView,
  StopwatchView,
  TimelineView,
  TrackedTimeView,
} from "./model.ts";
import { timeText } from "./times/time-text.ts";

/** Presents issues and their parts to one viewer. Made per response: repeated objects are presented once. */
export interface IssuePresenter {
  issue(view: IssueView): Issue;
  comment(view: CommentView): Comment;
  timeline(view: TimelineView): TimelineComment;
  reaction(view: ReactionView): Reaction;
  trackedTime(view: TrackedTimeView): TrackedTime;
}

/** Memoizes by id. */
export function once<V extends { readonly id: number }, W extends object>(make: (view: V) => W): (view: V) => W {
  const made = new Map<number, W>();
  return (view) => {
    const known = made.get(view.id) ?? make(view);
    made.set(view.id, known);
    return known;
  };
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : formatTime(ms));

/** Page of an issue or pull request. */
const pageOf = ({ ownerName, name }: IssueLocation, { number, isPull }: Pick<CommentedIssue, "number" | "isPull">, urls: Urls): string =>
  urls.web(ownerName, name, isPull ? "pulls" : "issues", number);

export function createIssuePresenter(viewer: Actor, urls: Urls): IssuePresenter {
  const user = once((view: UserView) => presentUser(view, viewer, urls));
  // @compat authors of comments and assignees are presented as to an anonymous viewer (discussion.test.ts, pulls/api/pulls.test.ts)
  const plainUser = once((view: UserView) => presentUser(view, anonymous, urls, "none"));
  const milestone = once(presentMilestone);
  const labels = new Map<number, Label>();
  const label = (view: LabelView, place: IssueLocation): Label => {
    const known = labels.get(view.id);
    // An organization's label is presented alike everywhere; a repository's label occurs only in its repository.
    if (known !== undefined) return known;
    const fresh = presentLabel(view, place, urls);
    labels.set(view.id, fresh);
    return fresh;
  };
  const author = (poster: UserView | undefined, posterId: number | null, originalAuthor: string, show: (view: UserView) => User): User | null =>
    poster !== undefined ? show(poster) : posterId === null && originalAuthor === "" ? show(ghost) : null;

  const issue = (view: IssueView): Issue => {
    const { place } = view;
    const assignees = view.assignees.map(plainUser);
    return {
      id: view.id,
      url: urls.api("repos", place.ownerName, place.name, "issues", view.number),
      html_url: pageOf(place, view, urls),
      number: view.number,
      user: author(view.poster, view.posterId, view.originalAuthor, user),
      original_author: view.originalAuthor,
      original_author_id: view.originalAuthorId,
      title: view.title,
      body: view.content,
      ref: view.ref,
      assets: view.attachments.map((attachment) => presentAttachment(attachment, urls)),
      labels: view.labels.map((one) => label(one, place)),
      milestone: view.milestone === undefined ? null : milestone(view.milestone),
      assignee: assignees[0] ?? null,
      assignees: assignees.length === 0 ? null : assignees,
      state: view.isClosed ? "closed" : "open",
      is_locked: view.isLocked,
      comments: view.commentsCount,
      created_at: formatTime(view.createdMs),
      updated_at: formatTime(view.updatedMs),
      closed_at: timeOrNull(view.closedMs),
      due_date: timeOrNull(view.deadlineMs),
      time_estimate: view.timeEstimateSeconds,
      pull_request: view.isPull ? presentPullMeta(view, pageOf(place, view, urls)) : null,
      repository: { id: place.id, name: place.name, owner: place.ownerName, full_name: wholeText(place.ownerName, "/", place.name) },
      pin_order: view.pinOrder,
      content_version: view.contentVersion,
    };
  };

  const pages = new Map<number, string>();
  /** Entries of a list usually share one issue. */
  const commentedPage = ({ issue: commented, place }: Pick<CommentView, "issue" | "place">): string => {
    const known = pages.get(commented.id);
    if (known !== undefined) return known;
    const page = pageOf(place, commented, urls);
    pages.set(commented.id, page);
    return page;
  };

  const comment = (view: CommentView): Comment => ({
    id: view.id,
    ...addressesOf(view, commentedPage(view)),
    user: author(view.poster, view.posterId, view.originalAuthor, plainUser),
    original_author: view.originalAuthor,
    original_author_id: view.originalAuthorId,
    body: view.content,
    assets: view.attachments.map((attachment) => presentAttachment(attachment, urls)),
    created_at: formatTime(view.createdMs),
    updated_at: formatTime(view.updatedMs),
  });

  const trackedTime = (view: TrackedTimeView): TrackedTime => ({
    id: view.id,
    created: formatTime(view.createdMs),
    time: view.seconds,
    user_id: view.accountId,
    user_name: view.userName,
    issue_id: view.issueId,
    issue: view.issue === undefined ? null : issue(view.issue),
  });

  const milestoneOrNull = (view: MilestoneView | undefined): Milestone | null => (view === undefined ? null : milestone(view));

  const timeline = (view: TimelineView): TimelineComment => {
    const { payload } = view;
    return {
      id: view.id,
      type: view.kind,
      ...addressesOf(view, commentedPage(view)),
      user: author(view.poster, view.posterId, view.originalAuthor, plainUser),
      body: view.content,
      created_at: formatTime(view.createdMs),
      updated_at: formatTime(view.updatedMs),
      old_project_id: 0,
      project_id: 0,
      old_milestone: milestoneOrNull(view.oldMilestone),
      milestone: milestoneOrNull(view.milestone),
      tracked_time: view.trackedTime === undefined ? null : trackedTime(view.trackedTime),
      old_title: payload.oldTitle ?? "",
      new_title: payload.newTitle ?? "",
      old_ref: payload.oldRef ?? "",
      new_ref: payload.newRef ?? "",
      ref_issue: view.refIssue === undefined ? null : issue(view.refIssue),
      ref_comment: view.refComment === undefined ? null : comment(view.refComment),
      ref_action: payload.refAction ?? "none",
      // @compat a push names its commits in `body` alone, and a merge names none (pulls/api/pulls.test.ts, pulls/api/merges.test.ts)
      ref_commit_sha: view.kind === "pull_push" || view.kind === "merge_pull" ? "" : (payload.commitOid ?? ""),
      review_id: payload.reviewId ?? 0,
      label: view.label === undefined ? null : label(view.label, view.place),
      assignee: view.assignee === undefined ? null : plainUser(view.assignee),
      assignee_team: view.assigneeTeam === undefined ? null : presentTeamWithOrganization(view.assigneeTeam, viewer, urls),
      removed_assignee: payload.isAssigneeRemoved ?? false,
      resolve_doer: null,
      dependent_issue: view.dependentIssue === undefined ? null : issue(view.dependentIssue),
    };
  };

  const reaction = (view: ReactionView): Reaction => ({
    user: view.user === undefined ? null : user(view.user),
    content: view.content,
    created_at: formatTime(view.createdMs),
  });

  return { issue, comment, timeline, reaction, trackedTime };
}

/** The pull request fields of an issue. */
const presentPullMeta = ({ mergedMs, title }: IssueView, page: string): PullRequestMeta => ({
  merged: mergedMs !== null,
  merged_at: timeOrNull(mergedMs),
  draft: isDraftTitle(title),
  html_url: page,
});

/** Pages of a comment: its own, and that of its issue or pull request. */
function addressesOf({ id, issue }: { readonly id: number; readonly issue: CommentedIssue }, page: string) {
  return { html_url: wholeText(page, "#issuecomment-", id), pull_request_url: issue.isPull ? page : "", issue_url: issue.isPull ? "" : page };
}

export const presentAttachment = (attachment: AttachmentView, urls: Urls): Attachment => ({
  id: attachment.id,
  name: attachment.name,
  size: attachment.sizeBytes,
  download_count: attachment.downloadCount,
  created_at: formatTime(attachment.createdMs),
  uuid: attachment.uuid,
  browser_download_url: urls.web("attachments", attachment.uuid),
});

export const presentStopwatch = (stopwatch: StopwatchView): StopWatch => ({
  created: formatTime(stopwatch.createdMs),
  seconds: stopwatch.seconds,
  duration: timeText(stopwatch.seconds),
  issue_index: stopwatch.issueNumber,
  issue_title: stopwatch.issueTitle,
  repo_owner_name: stopwatch.ownerName,
  repo_name: stopwatch.repositoryName,
});
