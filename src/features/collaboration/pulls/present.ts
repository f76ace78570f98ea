import { type Actor, anonymous } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import { wholeText } from "../../../core/whole-text.ts";
import type { ChangedFile as GitChangedFile } from "../../../git/history/diff-parse.ts";
import type { Oid } from "../../../git/types.ts";
import type { ChangedFile, PRBranchInfo, PullRequest } from "../../../wire/pull-request.ts";
import type { UserView } from "../../accounts/users/model.ts";
import { presentUser } from "../../accounts/users/present.ts";
import { presentTeamWithOrganization } from "../../organizations/teams/present.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import { presentRepository } from "../../repositories/repos/present.ts";
import { isDraftTitle } from "../issues/draft.ts";
import { createIssuePresenter, once } from "../issues/present.ts";
import type { PullView } from "./model.ts";

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : formatTime(ms));
/** @compat lists contain null instead of an empty array (pulls/api/pulls.test.ts) */
const listOrNull = <T>(items: readonly T[], isList: boolean): readonly T[] | null => (isList && items.length === 0 ? null : items);

/**
 * The counts of repositories and of the milestone before the pull request was opened.
 * @compat responses and payloads about new pull requests have these counts (pulls/api/pulls.test.ts)
 */
export function withFormerCounts(view: PullView): PullView {
  const before = (repository: RepositoryView | undefined): RepositoryView | undefined =>
    repository?.id === view.repoId ? { ...repository, openPullsCount: Math.max(repository.openPullsCount - 1, 0) } : repository;
  const { issue } = view;
  const milestone = issue.milestone && { ...issue.milestone, openIssuesCount: Math.max(issue.milestone.openIssuesCount - 1, 0) };
  return { ...view, issue: { ...issue, milestone }, baseRepository: before(view.baseRepository), headRepository: before(view.headRepository) };
}

/** Presents pull requests to one viewer. Made per response: a repeated repository is presented once. */
export function createPullPresenter(viewer: Actor, urls: Urls, { isList }: { readonly isList: boolean }): (view: PullView) => PullRequest {
  const issues = createIssuePresenter(viewer, urls);
  const repository = once((view: RepositoryView) => presentRepository(view, viewer, urls));
  const user = once((view: UserView) => presentUser(view, anonymous, urls, "none"));

  const baseOf = (view: PullView): PRBranchInfo => ({
    label: view.baseBranch,
    ref: view.baseBranch,
    sha: view.baseTipOid ?? view.merged?.baseOid ?? view.mergeBaseOid ?? "",
    repo_id: view.repoId,
    repo: view.baseRepository === undefined ? null : repository(view.baseRepository),
  });
  const headOf = (view: PullView): PRBranchInfo => ({
    label: view.headBranch,
    ref: view.headTipOid === null || view.headRepository === undefined ? wholeText("refs/pull/", view.number, "/head") : view.headBranch,
    sha: view.headOid,
    repo_id: view.headRepository?.id ?? -1,
    repo: view.headRepository === undefined ? null : repository(view.headRepository),
  });

  return (view) => {
    const { issue: row, merged, size, reviews } = view;
    const issue = issues.issue(row);
    return {
      id: view.id,
      url: issue.html_url,
      number: view.number,
      user: issue.user,
      title: issue.title,
      body: issue.body,
      labels: issue.labels,
      milestone: issue.milestone,
      assignee: issue.assignee,
      assignees: listOrNull(issue.assignees ?? [], isList),
      // @compat reviewers stay in the list after their review, requested or not; lists omit those who only commented (requests.test.ts)
      requested_reviewers: listOrNull((isList ? view.reviewers : view.participants).map(user), isList),
      requested_reviewers_teams: listOrNull(
        view.requestedTeams.map((team) => presentTeamWithOrganization(team, viewer, urls)),
        isList,
      ),
      state: issue.state,
      draft: isDraftTitle(row.title),
      is_locked: issue.is_locked,
      comments: issue.comments,
      // @compat the number of reviews, not of comments on lines (reviews/api/reviews.test.ts)
      review_comments: reviews.count === 0 ? undefined : reviews.count,
      additions: size?.additions,
      deletions: size?.deletions,
      changed_files: size?.changedFiles,
      html_url: issue.html_url,
      diff_url: wholeText(issue.html_url, ".diff"),
      patch_url: wholeText(issue.html_url, ".patch"),
      mergeable: view.isMergeable,
      merged: merged !== null,
      merged_at: timeOrNull(merged?.mergedMs ?? null),
      merge_commit_sha: merged?.commitOid ?? null,
      merged_by: view.merger === undefined ? null : user(view.merger),
      allow_maintainer_edit: view.allowsMaintainerEdit,
      base: baseOf(view),
      head: headOf(view),
      merge_base: view.mergeBaseOid ?? "",
      due_date: issue.due_date,
      created_at: issue.created_at,
      updated_at: issue.updated_at,
      closed_at: issue.closed_at,
      pin_order: issue.pin_order,
      content_version: issue.content_version,
    };
  };
}

const statuses: Readonly<Record<GitChangedFile["status"], ChangedFile["status"]>> = {
  added: "added",
  modified: "changed",
  type_changed: "changed",
  removed: "deleted",
  renamed: "renamed",
  copied: "copied",
};

/** Location to read files of a head. */
export interface FileLocation {
  readonly ownerName: string;
  readonly name: string;
  readonly headOid: Oid;
}

/** Presents a file that the head changed; a removed file has no address. */
export function presentChangedFile(file: GitChangedFile, { ownerName, name, headOid }: FileLocation, urls: Urls): ChangedFile {
  const { path, oldPath, status, additions, deletions } = file;
  return {
    filename: path,
    previous_filename: status === "renamed" || status === "copied" ? oldPath : undefined,
    status: statuses[status],
    additions,
    deletions,
    changes: additions + deletions,
    html_url: urls.web(ownerName, name, "src", "commit", headOid, path),
    contents_url: `${urls.api("repos", ownerName, name, "contents", path)}?ref=${headOid}`,
    raw_url: urls.web(ownerName, name, "raw", "commit", headOid, path),
  };
}
