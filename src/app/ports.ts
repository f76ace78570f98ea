import type { Actor } from "../access/actor.ts";
import { findLinkedAccounts } from "../features/accounts/auth-sources/service/linked.ts";
import { createOidcSignIn } from "../features/accounts/auth-sources/service/oidc.ts";
import { accountOfProxyUser } from "../features/accounts/auth-sources/service/proxy-user.ts";
import type { SourcePageDeps } from "../features/accounts/auth-sources/web.tsx";
import type { SessionPageDeps } from "../features/accounts/sessions/web.tsx";
import type { TokenRepositories } from "../features/accounts/users/service/tokens.ts";
import { composeWorkflowEvent } from "../features/actions/runs/listener/hook-payloads.ts";
import { loadCheckProgress } from "../features/actions/runs/service/check-progress.ts";
import { mistakesIn } from "../features/actions/runs/service/files.ts";
import { canRun } from "../features/actions/runs/service/start.ts";
import { showComments } from "../features/collaboration/commit-comments/web.tsx";
import { createTemplateReader, type TemplateDeps } from "../features/collaboration/issues/templates/service.ts";
import { bringHead } from "../features/collaboration/pulls/service/bring-head.ts";
import { pullsOfBranches } from "../features/collaboration/pulls/service/pushes.ts";
import type { PullPageDeps } from "../features/collaboration/pulls/web.tsx";
import { ownersOfFile } from "../features/collaboration/reviews/service/owners.ts";
import { countDrafts } from "../features/collaboration/reviews/service/threads.ts";
import { loadReviewTimeline } from "../features/collaboration/reviews/web/review-timeline.tsx";
import { openLargeFile } from "../features/git/lfs/service/objects.ts";
import type { ComposeDeps } from "../features/integrations/hooks/payloads/payload-context.ts";
import { codeStore } from "../features/repositories/branches/service/deps.ts";
import type { BranchPageDeps } from "../features/repositories/branches/web/branches.tsx";
import type { TagPageDeps } from "../features/repositories/branches/web/tags.tsx";
import type { CommitApiDeps } from "../features/repositories/commits/api.ts";
import { compareTips } from "../features/repositories/commits/service/compare-tips.ts";
import { createGraphReader } from "../features/repositories/commits/service/graph.ts";
import type { GraphPageDeps } from "../features/repositories/commits/web/graph.tsx";
import type { HistoryPageDeps } from "../features/repositories/commits/web.tsx";
import { createNotebookReader } from "../features/repositories/contents/service/notebook.ts";
import type { EditPageDeps } from "../features/repositories/contents/web/edit.tsx";
import type { ContentsPageDeps } from "../features/repositories/contents/web/read.tsx";
import { createShownDiffsCache } from "../features/repositories/diffs/shown-diffs.ts";
import type { CommitPageDeps } from "../features/repositories/diffs/web.tsx";
import { readForkState } from "../features/repositories/forks/service/fork-state.ts";
import { findForkOf, takeOwnFork } from "../features/repositories/forks/service/network.ts";
import type { RunDeps } from "../features/repositories/migrations/service/run.ts";
import { branchPrefix } from "../features/repositories/refs/model.ts";
import { findLatest, hasRelease } from "../features/repositories/releases/service/find.ts";
import type { NewRepositoryDeps } from "../features/repositories/repos/web/create.tsx";
import { explorePage } from "../features/repositories/repos/web.tsx";
import { statesOfCommits } from "../features/repositories/statuses/service.ts";
import { generateRepository, type TemplateItem } from "../features/repositories/template-repos/service/generate.ts";
import { findOwnBranches, findRecentPushes } from "../features/site/activities/service/recent-pushes.ts";
import type { DashboardPageDeps } from "../features/site/dashboard/web.tsx";
import type { ReferenceResolver } from "../features/site/markup/references.ts";
import { createDataDownloads, type DataDeps } from "../features/site/own-data/service/downloads.ts";
import type { Context } from "./context.ts";
import { historyPaths } from "./history-paths.ts";
import { exportedRepositories } from "./portability/export.ts";
import { resolverOf } from "./references.ts";
import { createTokenRepositories } from "./token-repositories.ts";

/** Functions and caches that features share. Each feature names the ones that it uses in its `...Deps`. */
export type Ports = {
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
  readonly signInRequired: boolean;
  readonly tokenRepositories: TokenRepositories;
} & Pick<BranchPageDeps, "compareTips" | "ownBranchesOf" | "pullsOfBranches"> &
  Pick<CommitApiDeps, "bringHead"> &
  Pick<ComposeDeps, "composeWorkflowEvent"> &
  Pick<CommitPageDeps, "shownDiffs" | "showCommitComments"> &
  Pick<
    ContentsPageDeps,
    "openLarge" | "readNotebook" | "hasSsh" | "findFileOwners" | "findMistakes" | "findLatestRelease" | "findRecentPushes" | "readForkState"
  > &
  Pick<DashboardPageDeps, "welcome"> &
  Pick<EditPageDeps, "ownForks"> &
  Pick<NewRepositoryDeps, "generateFromTemplate"> &
  Pick<GraphPageDeps, "readGraph"> &
  Pick<HistoryPageDeps, "splitPath" | "completePath" | "checksOfCommits"> &
  Pick<PullPageDeps, "loadReviewTimeline" | "countDrafts" | "addProgress"> &
  Pick<RunDeps, "findLinkedAccounts"> &
  Pick<SessionPageDeps, "otherWaysIn" | "accountOfProxyUser" | "mayRegister"> &
  Pick<SourcePageDeps, "oidc"> &
  Pick<DataDeps, "openDataDownload"> &
  Pick<TagPageDeps, "tagUses"> &
  Pick<TemplateDeps, "templateReader">;

/**
 * Provides earlier features with functions of later ones, which they cannot import. This is the only place where a dependency points upwards in the
 * order of the features.
 */
export function createPorts(context: Context): Ports {
  const { config, db } = context;
  const readGraph = createGraphReader();
  const oidc = createOidcSignIn(context);
  return {
    ...historyPaths(context),
    accountOfProxyUser: (user) => accountOfProxyUser(context, user),
    composeWorkflowEvent: (event, place) => composeWorkflowEvent(context, event, place),
    checksOfCommits: (repository, oids) => statesOfCommits(db, repository.id, oids),
    bringHead: (viewing, head) => bringHead(context, viewing, head),
    compareTips: (repository, base, heads) => compareTips({ ...context, readGraph }, repository, base, heads),
    openDataDownload: createDataDownloads({ ...context, exportRepositories: (owner) => exportedRepositories(context, owner) }),
    findFileOwners: (repository, commitOid, path) => ownersOfFile(context, repository, commitOid, path),
    findMistakes: async (repository, file) => (canRun(repository) ? mistakesIn(context, codeStore(context, repository), file) : []),
    findLatestRelease: (repository) => findLatest(context, repository),
    findRecentPushes: (actor, repository) => findRecentPushes(context, actor, repository),
    findLinkedAccounts: (issuer, subjects) => findLinkedAccounts(db, issuer, subjects),
    generateFromTemplate: (actor, template, input) =>
      generateRepository(context, actor, template, { ...input, items: new Set<TemplateItem>(["git_content", "topics", "labels"]) }),
    hasSsh: config.ssh.enabled,
    addProgress: async (repoId, checks) => ({ ...checks, progress: await loadCheckProgress(db, repoId, checks.statuses) }),
    loadReviewTimeline: loadReviewTimeline(context),
    countDrafts: (actor, pull) => countDrafts(context, actor, pull),
    mayRegister: config.registration.enabled,
    oidc,
    ownBranchesOf: (actor, repository) => findOwnBranches(context, actor, repository),
    openLarge: (repoId, pointer) => openLargeFile(context, repoId, pointer),
    otherWaysIn: oidc.offers,
    pullsOfBranches: (actor, repository, branches) => pullsOfBranches(context, actor, repository, branches),
    readForkState: (actor, fork, parentId, branch) =>
      readForkState({ ...context, readGraph }, actor, fork, parentId, { ...branch, name: branchPrefix + branch.name }),
    readGraph,
    readNotebook: createNotebookReader(),
    ownForks: {
      find: (actor, repository) => findForkOf(context, actor, repository.id, actor.id),
      take: (actor, repository) => takeOwnFork(context, actor, repository),
    },
    resolverOf: (actor) => resolverOf(context, actor),
    showCommitComments: (commented, oid) => showComments({ ...context, resolverOf: (actor) => resolverOf(context, actor) }, commented, oid),
    shownDiffs: createShownDiffsCache(),
    signInRequired: config.server.sign_in_required,
    tagUses: { hasRelease },
    templateReader: createTemplateReader(context),
    tokenRepositories: createTokenRepositories(context),
    welcome: (request) => explorePage(context, request, {}),
  };
}
