import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { loadTeams } from "../../../organizations/teams/service/load.ts";
import { prepareRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import { onlyLocation, prepareIssueViews } from "../../issues/service/loaders.ts";
import type { FoundPull, PullView } from "../model.ts";
import { loadChecks } from "./checks.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { isMergeable } from "./merge/requirements.ts";

/**
 * Loads everything that responses include of a repository's pull requests, in order. The number of statements does not depend on their
 * number;
 * no process if the checks of their current tips are stored.
 * @param sizes whether to include the sizes of their changes
 */
export async function loadPullViews(
  deps: PullDeps,
  { actor, repository, signal }: PullViewing,
  pulls: readonly FoundPull[],
  { sizes }: { readonly sizes: boolean },
): Promise<PullView[]> {
  if (pulls.length === 0) return [];
  const issueRows = pulls.map(({ issue }) => issue);
  const teamIds = [...new Set(pulls.flatMap(({ reviews }) => reviews.requestedTeamIds))];
  const repoIds = [...new Set([repository.id, ...pulls.flatMap(({ headRepoId }) => headRepoId ?? [])])];
  const [issues, repositories, teams, checks] = await Promise.all([
    prepareIssueViews(deps, issueRows, onlyLocation(repository)),
    prepareRepositoryViews(deps, actor, repoIds),
    loadTeams(deps, teamIds),
    loadChecks(deps, pulls, { repository, sizes, signal }),
  ]);
  const ownIds = pulls.flatMap(({ merged, reviews }) => [...(merged?.mergerId ? [merged.mergerId] : []), ...reviews.participantIds]);
  const accounts = await loadUsers(deps, [...issues.accountIds, ...repositories.accountIds, ...ownIds]);
  const issuesById = new Map(issues.complete(accounts).map((view) => [view.id, view]));
  const repositoriesById = new Map(repositories.complete(accounts).map((view) => [view.id, view]));
  return pulls.flatMap((pull) => {
    const issue = issuesById.get(pull.issueId);
    if (issue === undefined) return [];
    const { merged, reviews } = pull;
    const check = checks.get(pull.id);
    return {
      ...pull,
      issue,
      baseRepository: repositoriesById.get(pull.repoId),
      headRepository: pull.headRepoId === null ? undefined : repositoriesById.get(pull.headRepoId),
      mergeBaseOid: merged === null ? (check?.mergeBaseOid ?? null) : merged.mergeBaseOid,
      isMergeable: isMergeable(pull, check),
      merger: merged?.mergerId ? accounts.get(merged.mergerId) : undefined,
      // @compat without its head repository a pull request has no size (scenarios/git-pulls.test.ts)
      size: sizes && pull.headRepoId !== null ? (check?.size ?? undefined) : undefined,
      reviewers: reviews.reviewerIds.flatMap((id) => accounts.get(id) ?? []),
      participants: reviews.participantIds.flatMap((id) => accounts.get(id) ?? []),
      requestedUsers: reviews.requestedUserIds.flatMap((id) => accounts.get(id) ?? []),
      requestedTeams: reviews.requestedTeamIds.flatMap((id) => teams.get(id) ?? []),
    };
  });
}
