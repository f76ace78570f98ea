import { loadIssueViews, onePlace } from "../../issues/service/views.ts";
import { loadRepositoryViews } from "../../repos/service/views.ts";
import { loadUsers } from "../../users/service/accounts.ts";
import { noReviews } from "../reviewing.ts";
import type { FoundPull, PullView } from "../view.ts";
import { loadChecks } from "./checks.ts";
import type { PullDeps, PullViewing } from "./deps.ts";

/**
 * Pull requests of a repository with all that answers show of them, in their order. A number of statements that does not depend on theirs,
 * and no process where somebody has asked since a branch of theirs moved.
 * @param sizes also what each of them changes
 */
export async function loadPullViews(
  deps: PullDeps,
  { actor, repository, signal }: PullViewing,
  pulls: readonly FoundPull[],
  { sizes }: { readonly sizes: boolean },
): Promise<PullView[]> {
  if (pulls.length === 0) return [];
  const issueRows = pulls.map(({ issue }) => issue);
  const repoIds = [...new Set([repository.id, ...pulls.flatMap(({ headRepoId }) => headRepoId ?? [])])];
  const mergerIds = pulls.flatMap(({ merged }) => merged?.mergerId ?? []);
  const [issues, repositories, mergers, reviews, checks] = await Promise.all([
    loadIssueViews(deps, issueRows, onePlace(repository)),
    loadRepositoryViews(deps, actor, repoIds),
    loadUsers(deps, mergerIds),
    deps.reviewing.summaries(
      deps.db,
      issueRows.map(({ id }) => id),
    ),
    loadChecks(deps, pulls, { repository, sizes, signal }),
  ]);
  const issuesById = new Map(issues.map((view) => [view.id, view]));
  const repositoriesById = new Map(repositories.map((view) => [view.id, view]));
  return pulls.flatMap((pull) => {
    const issue = issuesById.get(pull.issueId);
    if (issue === undefined) return [];
    const { merged } = pull;
    const check = checks.get(pull.id);
    return {
      ...pull,
      issue,
      baseRepository: repositoriesById.get(pull.repoId),
      headRepository: pull.headRepoId === null ? undefined : repositoriesById.get(pull.headRepoId),
      mergeBaseOid: merged === null ? (check?.mergeBaseOid ?? null) : merged.mergeBaseOid,
      isMergeable: merged !== null || (check?.outcome === "clean" && pull.baseTipOid !== null),
      merger: merged?.mergerId ? mergers.get(merged.mergerId) : undefined,
      // @compat with its repository the head takes along how much it changed
      size: sizes && pull.headRepoId !== null ? (check?.size ?? undefined) : undefined,
      reviews: reviews.get(pull.issueId) ?? noReviews,
    };
  });
}
