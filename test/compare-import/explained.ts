import type { Difference } from "./differences.ts";
import type { ComparedRequest } from "./requests.ts";

interface Explained {
  readonly operation: RegExp;
  /** The place, or both statuses: `403 404`. */
  readonly place: RegExp;
  /** The value of Gitea as text; any, if undefined. */
  readonly gitea?: RegExp;
  /** The path of the request with its query; any, if undefined. */
  readonly path?: RegExp;
  /** Applies to anonymous requests only. */
  readonly anonymous?: true;
  /** The first cell of a row of contract/deviations.md or docs/move-from-gitea.md, or its beginning. */
  readonly row: string;
}

const any = /^/;
const equalKeys = "order of search results, tags and releases with equal sort keys";
const totals = "`X-Total-Count` of lists";
const hidden = "hidden users and organizations, and their resources";

const actions = /Workflow|Artifact|Runner|^ListActionTasks$|^GetWorkflowRun$|^downloadActionsRunJobLogs$/;
const unfinished = "Runs that have not ended";

/** The documented differences. The first match decides. */
export const explained: readonly Explained[] = [
  {
    operation: actions,
    place: /(^|\.)(status|conclusion|completed_at)$/,
    gitea: /^(in_progress|queued|waiting|running|undefined|1970-01-01T00:00:00Z)$/,
    row: unfinished,
  },
  { operation: actions, place: /^(total_count|x-total-count|\w+\[\]\.id)$/, path: /[?&]status=(pending|queued|in_progress|waiting)/, row: unfinished },
  { operation: actions, place: /steps\[\]\.conclusion$/, row: "`status` and `conclusion` of the steps of a job" },
  { operation: /^getArtifacts(OfRun)?$/, place: /^artifacts\[\]\.id$/, row: "order of artifacts in lists" },
  { operation: /Runners$/, place: /^runners\[\]\.id$/, row: "order of runners in lists" },
  { operation: /^downloadArtifact$/, place: /^(content-type)?$/, gitea: /^(?!application\/zip)/, row: "artifacts of one file" },
  { operation: /^ListActionTasks$/, place: /updated_at$/, row: "Times of the last change of attempts of jobs" },
  { operation: /ActivityFeeds$/, place: /^200 404$/, row: hidden },
  { operation: /ActivityFeeds$/, place: /^404 401$/, row: "operations that require a signed-in user, for anonymous callers" },
  { operation: /ActivityFeeds$/, place: /^(\[\]\.id|x-total-count)$/, row: "Activity feeds" },
  { operation: /ActivityFeeds$/, place: /^\[\]\.ref_name$/, row: "feeds, for users who cannot read a repository's code or issues" },
  { operation: /ActivityFeeds$/, place: /^\[\]\.content$/, row: "Contents of pushes in activity feeds" },
  { operation: /^userGetHeatmapData$/, place: any, row: "Activity feeds" },
  { operation: any, place: /(^|\.)size$/, row: "Sizes of repositories" },
  { operation: /^repoGetRepoPermissions$/, place: /^user\./, row: "`repoGetRepoPermissions` of the owner" },
  { operation: any, place: /(^|\.)language$|^[A-Z][\w +#-]*$/, row: "Languages and licences" },
  { operation: any, place: /(^|\.)licenses\[\]$/, row: "Languages and licences" },
  { operation: /^repoGetLicenses$/, place: /^\[\]$/, row: "Languages and licences" },
  { operation: any, place: /(^|\.)branch_count$/, row: "Numbers of branches" },
  { operation: /^repo(ListStatusesByRef|GetCombinedStatusByRef)$/, place: /^404 200$/, row: "Numbers of branches" },
  { operation: any, place: /(^|\.)avatar_url$/, row: "Addresses of pictures" },
  { operation: any, place: /(^|\.)review_comments$/, row: "`review_comments`" },
  { operation: any, place: /(^|\.)(comments|last_comment)$/, row: "Numbers of comments of pull requests" },
  { operation: /^repoListPullRequests$/, place: /id$/, row: "Numbers of comments of pull requests" },
  { operation: /^repoGetPullRequest(ByBaseHead)?$/, place: /^(additions|deletions|changed_files)$/, row: "Changes of pull requests that were merged by hand" },
  { operation: /^getVersion$/, place: any, row: "Facts about the server" },
  { operation: /^(adminCronList|listLicenseTemplates|listGitignoresTemplates|getVerificationToken)$/, place: any, row: "Facts about the server" },
  { operation: /^repoListPullRequests$/, place: /^(\[\]\.id|x-total-count)$/, path: /^(?!.*[?&]state=)/, row: "`repoListPullRequests` without `state`" },
  { operation: /^issueGetCommentsAndTimeline$/, place: /^(\[\]\.id|x-total-count)$/, row: "pages of `issueGetCommentsAndTimeline`" },
  { operation: any, place: /^x-total-count$/, row: totals },
  { operation: /^(repoSearch|userCurrentListRepos)$/, place: /\.?id$/, row: "order of `repoSearch` without `sort`" },
  { operation: /^(orgListTeams|teamSearch)$/, place: /id$/, row: equalKeys },
  { operation: /ListSubscriptions$/, place: /id$|permissions\./, row: "repositories in `userListSubscriptions`" },
  {
    operation:
      /^(adminSearchUsers|notifyGetList|repoGetAssignees|repoGetReviewers|repoListPinnedIssues|repoListTags|repoGetPullReviewComments|repoListCollaborators|repoListStatuses|repoListStatusesByRef|repoGetCombinedStatusByRef|repoGetPullRequest|repoGetPullRequestByBaseHead)$/,
    place: /(^|\])\.?(id|name|zipball_url|tarball_url|commit\.\w+)$|assignee\.|^statuses\[\]|^requested_reviewers\[\]\.id$/,
    row: equalKeys,
  },
  {
    operation: /^(orgListUserOrgs|orgListPublicMembers|orgGetAll)$/,
    place: /^[^ ]*$/,
    row: "`orgListMembers` and public members, for users outside the organization",
  },
  { operation: /^repoListTeams$/, place: /id$/, row: "`repoListTeams`, `repoCheckTeam`" },
  { operation: /^repoCheckTeam$/, place: /^200 404$/, row: "`repoListTeams`, `repoCheckTeam`" },
  { operation: /^topicSearch$/, place: any, row: "`repo_count` of a topic, and search results of topics" },
  { operation: /^repo(List|Get)Keys?$/, place: /permissions\./, row: "`permissions` of the repository of a deploy key" },
  {
    operation: any,
    place: /permissions?(\.(admin|push|pull))?$/,
    row: "`permissions` of a repository and `permission` of `repoGetRepoPermissions`, for members of teams with permissions by unit",
  },
  { operation: any, place: /(^|\.)email$/, row: "the owner inside a repository, for anonymous callers" },
  { operation: /^repoCheckCollaborator$/, place: /^422 404$/, row: "`repoCheckCollaborator` for an unknown user" },
  { operation: /^userTrackedTimes$/, place: /^403 200$/, row: "`repoGetReviewers`, `userTrackedTimes` for readers" },
  { operation: /^repoGetReviewers$/, place: /^403 200$/, row: "`repoCreatePullReviewRequests`, `repoGetReviewers` for site administrators" },
  { operation: any, place: /^404 401$/, anonymous: true, row: "operations that require a signed-in user, for anonymous callers" },
  { operation: /^notifyGetThread$/, place: /^(200|403) 404$/, row: "`notifyGetThread` of a notification of another user" },
  { operation: /^notifyGetThread$/, place: /url$/, row: "Addresses of notifications about renamed repositories" },
  { operation: /^repoListReleaseAttachments$/, place: /^200 404$/, row: "Releases of tags" },
  { operation: /^(org|getOrg|team)/, place: /^(403|401|303|200) 404$/, row: hidden },
  { operation: /^repoGetEditorConfig$/, place: /^404 200$/, row: "`repoGetEditorConfig` of a file in a folder" },
  { operation: /^repoGetWikiPage(Revisions)?$/, place: /^404 200$/, row: "wiki pages by the name of their file" },
  { operation: /^issueCheckSubscription$/, place: any, row: "Subscriptions of assignees" },
  { operation: /^issueListIssues$/, place: /^\[\]\.id$/, row: "`issueListIssues` in a repository with a milestone without a title" },
  { operation: /^issueSearchIssues$/, place: /^\[\]\.id$/, row: "`q` of issues" },
  { operation: /^repoGetCombinedStatusByRef$/, place: /^(state|total_count|statuses)$/, row: "`repoGetCombinedStatusByRef` with `page` or `limit`" },
  { operation: /UserBlock$|^repoGetEditorConfig$/, place: /^content-type$/, row: "errors of edits of issues, pull requests and comments" },
  { operation: /^repoDownloadCommitDiffOrPatch$/, place: /^$/, row: "`repoDownloadCommitDiffOrPatch` of a root commit" },
  { operation: any, place: /(^|\.)mergeable$/, row: "`mergeable` of imported pull requests" },
  { operation: /^repoListPullRequests$/, place: /merged_by$/, row: "`merged_by` in lists of pull requests" },
  {
    operation: /^repoGetPullRequest(ByBaseHead)?$/,
    place: /requested_reviewers/,
    row: "`requested_reviewers` of `repoListPullRequests` and `repoGetPullRequest`",
  },
  { operation: /^(repoListBranches|repoGetBranch)$/, place: /user_can_push$/, row: "`user_can_push` of the head of a pull request" },
  { operation: /^userCurrentListKeys$/, place: /id$/, row: "`fingerprint` of `userCurrentListKeys`" },
  { operation: /^issueListIssueDependencies$|^issueListBlocks$/, place: any, row: "Timeline entries and dependencies about missing issues" },
  { operation: /^issueGetCommentsAndTimeline$/, place: any, row: "Timeline entries and dependencies about missing issues" },
  { operation: /^userCurrentCheckSubscription$/, place: /created_at$/, row: "`created_at` of a watched repository" },
  { operation: /Hooks?$/, place: /authorization_header$/, row: "`authorization_header` of a webhook" },
  { operation: /^repoValidateIssueConfig$/, place: /^message$/, row: "errors of `repoValidateIssueConfig`" },
];

/** @returns the row that documents a difference */
export function findRow({ operation, path, anonymous }: ComparedRequest, { aspect, place, gitea, hearth }: Difference): string | undefined {
  const at = aspect === "status" ? `${gitea} ${hearth}` : place;
  return explained.find(
    (one) =>
      one.operation.test(operation) &&
      one.place.test(at) &&
      one.gitea?.test(String(gitea)) !== false &&
      one.path?.test(path) !== false &&
      (one.anonymous !== true || anonymous === true),
  )?.row;
}
