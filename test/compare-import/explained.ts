import type { Difference } from "./differences.ts";
import type { ComparedRequest } from "./requests.ts";

interface Explained {
  readonly operation: RegExp;
  /** The place, or both statuses: `403 404`. */
  readonly place: RegExp;
  readonly reason: string;
}

const any = /^/;

/** Differences that docs/move-from-gitea.md or contract/deviations.md describes. */
const explained: readonly Explained[] = [
  { operation: /ActivityFeeds$|^userGetHeatmapData$/, place: any, reason: "activity feeds are not imported" },
  { operation: any, place: /(^|\.)size$/, reason: "sizes are those of the stores of Hearth" },
  { operation: any, place: /(^|\.)language$|^[A-Z]\w+$/, reason: "languages: Hearth counts programming languages, and counts after the start" },
  { operation: any, place: /(^|\.)avatar_url$/, reason: "uploaded pictures get another address" },
  { operation: any, place: /(^|\.)(comments|review_comments|last_comment)$/, reason: "pull requests count comments on lines, and not the texts of reviews" },
  { operation: /^repoListPullRequests$/, place: /id$/, reason: "order by the number of comments, which is counted differently" },
  { operation: /^(adminCronList|listLicenseTemplates|listGitignoresTemplates|getVersion)$/, place: any, reason: "facts about the program" },
  { operation: any, place: /^x-total-count$/, reason: "totals: see deviations" },
  { operation: /^(repoSearch|userCurrentListRepos)$/, place: /\.?id$/, reason: "repositories are listed by owner and name, in Gitea by name" },
  { operation: /^(orgListTeams|teamSearch)$/, place: /id$/, reason: "the owners are the first team" },
  {
    operation:
      /^(.*ListSubscriptions|adminSearchUsers|notifyGetList|repoGetAssignees|repoGetReviewers|repoListPinnedIssues|repoListTags|repoGetPullReviewComments)$/,
    place: /id$|name$|ball_url$|assignee\./,
    reason: "lists without an order in Gitea, or with equal sort keys",
  },
  {
    operation: /^(userListSubscriptions|orgListUserOrgs|orgListPublicMembers|orgGetAll)$/,
    place: any,
    reason: "lists contain everything that the caller can read, and nothing else",
  },
  { operation: any, place: /permissions\.(admin|push|pull)$/, reason: "teams with permissions by unit: Hearth shows the highest right on a unit" },
  { operation: any, place: /(^|\.)email$/, reason: "hidden addresses: one rule for all operations" },
  { operation: any, place: /^(403|401|303|200) 404$/, reason: "data that the caller may not see does not exist" },
  { operation: any, place: /^404 (401|403)$|^200 403$/, reason: "missing rights are found before the missing row" },
  { operation: /^(userTrackedTimes|repoGetReviewers)$/, place: /^403 200$/, reason: "readers see the list: see deviations" },
  { operation: /^repoCheckCollaborator$/, place: /^422 404$/, reason: "unknown users: see deviations" },
  { operation: /^(issueListIssues|repoListPinned(Issues|PullRequests))$/, place: /^404 200$/, reason: "lists of a unit that is disabled are empty" },
  { operation: /^issueCheckSubscription$/, place: any, reason: "assignees are subscribed" },
  { operation: /^issueListIssues$/, place: /^\[\]\.id$/, reason: "Gitea filters by a milestone without a title, and searches parts of words" },
  { operation: /^issueSearchIssues$/, place: /^\[\]\.id$/, reason: "search finds words, Gitea parts of words" },
  {
    operation: /^issueGet(Issue|Comment)Reactions$|^issueGetCommentsAndTimeline$|^repoGetCombinedStatusByRef$/,
    place: /^$|^statuses$/,
    reason: "empty lists are lists, not null",
  },
  { operation: /^repoGetCombinedStatusByRef$/, place: /^(state|total_count)$/, reason: "pages after the last one have the state of the commit" },
  { operation: /UserBlock$|^repoGetEditorConfig$/, place: /^content-type$/, reason: "errors have a JSON body" },
  { operation: /^repoDownloadCommitDiffOrPatch$/, place: /^$/, reason: "diffs have no header of the commit" },
  { operation: any, place: /(^|\.)mergeable$/, reason: "Gitea checks only after the next push" },
  { operation: /^repoListPullRequests$/, place: /merged_by$/, reason: "lists name who merged, as single pull requests do" },
  {
    operation: /^(repoGetPullRequest|repoGetPullRequestByBaseHead)$/,
    place: /requested_reviewers/,
    reason: "authors are no reviewers of their own pull request: see deviations",
  },
  { operation: /^(repoGetRepoPermissions)$/, place: any, reason: "teams with permissions by unit; private fields of accounts are hidden" },
  { operation: /^(repoListBranches|repoGetBranch)$/, place: /user_can_push$/, reason: "maintainers push to the head of a pull request, not to other branches" },
  { operation: /^userCurrentListKeys$/, place: /id$/, reason: "only own keys are found by their fingerprint" },
  { operation: /^issueListIssueDependencies$|^issueListBlocks$/, place: any, reason: "an issue that depends on itself: the import lists it" },
  {
    operation: /^issueGetCommentsAndTimeline$/,
    place: any,
    reason: "entries about missing issues are left out; tracked times that were deleted are not shown",
  },
  { operation: /^userCurrentCheckSubscription$/, place: /created_at$/, reason: "Gitea shows the time of the repository" },
  { operation: /Hooks?$/, place: /authorization_header$/, reason: "the authorization header of a webhook is not shown" },
  { operation: /^getVerificationToken$/, place: any, reason: "a token of the moment" },
  { operation: /^repoValidateIssueConfig$/, place: /^message$/, reason: "texts of errors" },
];

export function findReason({ operation }: ComparedRequest, { aspect, place, gitea, hearth }: Difference): string | undefined {
  const at = aspect === "status" ? `${gitea} ${hearth}` : place;
  return explained.find((one) => one.operation.test(operation) && one.place.test(at))?.reason;
}
