import { identityRoutes } from "../features/accounts/auth-sources/api/identities.ts";
import { sourceRoutes } from "../features/accounts/auth-sources/api/sources.ts";
import { createOidcSignIn } from "../features/accounts/auth-sources/service/oidc.ts";
import { accountOfProxyUser } from "../features/accounts/auth-sources/service/proxy-user.ts";
import { adminSourcePages } from "../features/accounts/auth-sources/web/sources.tsx";
import { sourcePages } from "../features/accounts/auth-sources/web.tsx";
import { pictureRoutes } from "../features/accounts/avatars/api/pictures.ts";
import { avatarUploadRoutes } from "../features/accounts/avatars/api/uploads.ts";
import { picturePages } from "../features/accounts/avatars/web.tsx";
import { blockRoutes } from "../features/accounts/blocks/api.ts";
import { blockPages } from "../features/accounts/blocks/web.tsx";
import { deployKeyRoutes } from "../features/accounts/keys/api/deploy-keys.ts";
import { gpgKeyRoutes } from "../features/accounts/keys/api/gpg-keys.ts";
import { signingKeyRoutes } from "../features/accounts/keys/api/signing-keys.ts";
import { userKeyRoutes } from "../features/accounts/keys/api/user-keys.ts";
import { deployKeyPages } from "../features/accounts/keys/web/deploy-keys.tsx";
import { gpgKeyPages } from "../features/accounts/keys/web/gpg-keys.tsx";
import { userKeyPages } from "../features/accounts/keys/web/user-keys.tsx";
import { applicationRoutes } from "../features/accounts/oauth2/api/applications.ts";
import { oauthEndpoints } from "../features/accounts/oauth2/api/endpoints.ts";
import type { Signer } from "../features/accounts/oauth2/service/signer.ts";
import { applicationPages } from "../features/accounts/oauth2/web/applications.tsx";
import { oauthPages } from "../features/accounts/oauth2/web/consent.tsx";
import { recoveryRoutes } from "../features/accounts/recovery/api.ts";
import { recoveryPages } from "../features/accounts/recovery/web.tsx";
import { registrationPages } from "../features/accounts/registration/web.tsx";
import { sessionRoutes } from "../features/accounts/sessions/api.ts";
import type { PasswordGate } from "../features/accounts/sessions/service/sign-in.ts";
import { accountPages } from "../features/accounts/sessions/web/account.tsx";
import { tokenPages } from "../features/accounts/sessions/web/tokens.tsx";
import { twoFactorPages } from "../features/accounts/sessions/web/two-factor.tsx";
import { sessionPages } from "../features/accounts/sessions/web.tsx";
import { emailRoutes } from "../features/accounts/users/api/emails.ts";
import { followRoutes } from "../features/accounts/users/api/follows.ts";
import { twoFactorRoutes } from "../features/accounts/users/api/two-factor.ts";
import { userRoutes } from "../features/accounts/users/api/users.ts";
import { userSettingsPages } from "../features/accounts/users/web/settings.tsx";
import { downloadRoutes } from "../features/collaboration/attachments/api/downloads.ts";
import { attachmentRoutes } from "../features/collaboration/attachments/api/held.ts";
import { releaseFormPages } from "../features/collaboration/attachments/web/release-form.tsx";
import { unsubscribePages } from "../features/collaboration/issue-mail/web.tsx";
import { issueRoutes } from "../features/collaboration/issues/api/issues.ts";
import { commentRoutes } from "../features/collaboration/issues/conversation/api.ts";
import { issueEditPages } from "../features/collaboration/issues/conversation/web/edit.tsx";
import { versionPages } from "../features/collaboration/issues/conversation/web/versions.tsx";
import { issueLinkRoutes } from "../features/collaboration/issues/links/api.ts";
import { issuePlanRoutes } from "../features/collaboration/issues/planning/api.ts";
import { bulkPages } from "../features/collaboration/issues/planning/web/bulk.tsx";
import { labelPages } from "../features/collaboration/issues/planning/web/labels.tsx";
import { planPages } from "../features/collaboration/issues/planning/web/plan.tsx";
import { reactionRoutes } from "../features/collaboration/issues/reactions/api.ts";
import { issueSearchRoutes } from "../features/collaboration/issues/search/api/search.ts";
import { suggestionRoutes } from "../features/collaboration/issues/search/web.ts";
import { issueTemplateRoutes } from "../features/collaboration/issues/templates/api.ts";
import { createTemplateReader } from "../features/collaboration/issues/templates/service.ts";
import { timeRoutes } from "../features/collaboration/issues/times/api.ts";
import { newIssuePages } from "../features/collaboration/issues/web/new-issue.tsx";
import { issuePages } from "../features/collaboration/issues/web.tsx";
import { organizationLabelRoutes } from "../features/collaboration/labels/api/organization-labels.ts";
import { repositoryLabelRoutes } from "../features/collaboration/labels/api/repository-labels.ts";
import { milestoneRoutes } from "../features/collaboration/milestones/api.ts";
import { milestonePages } from "../features/collaboration/milestones/web.tsx";
import { notificationRoutes } from "../features/collaboration/notifications/api.ts";
import { inboxPages } from "../features/collaboration/notifications/web.tsx";
import { pullChangeRoutes } from "../features/collaboration/pulls/api/changes.ts";
import { pullMergeRoutes } from "../features/collaboration/pulls/api/merges.ts";
import { pullRoutes } from "../features/collaboration/pulls/api/pulls.ts";
import { bringHead } from "../features/collaboration/pulls/service/bring-head.ts";
import { basePages } from "../features/collaboration/pulls/web/base.tsx";
import { comparePages } from "../features/collaboration/pulls/web/compare.tsx";
import { conflictPages } from "../features/collaboration/pulls/web/conflicts.tsx";
import { pullPages } from "../features/collaboration/pulls/web.tsx";
import { reviewCommentRoutes } from "../features/collaboration/reviews/api/comments.ts";
import { reviewRequestRoutes } from "../features/collaboration/reviews/api/requests.ts";
import { reviewRoutes } from "../features/collaboration/reviews/api/reviews.ts";
import { dismissalPages } from "../features/collaboration/reviews/web/dismissals.ts";
import { reviewPages } from "../features/collaboration/reviews/web/files.ts";
import { ownCommentPages } from "../features/collaboration/reviews/web/own-comments.tsx";
import { reviewRequestPages } from "../features/collaboration/reviews/web/requests.tsx";
import { loadReviewTimeline } from "../features/collaboration/reviews/web/review-timeline.tsx";
import { lfsLockRoutes } from "../features/git/lfs/api/locks.ts";
import { lfsObjectRoutes } from "../features/git/lfs/api/objects.ts";
import { openLargeFile } from "../features/git/lfs/service/objects.ts";
import { transportRoutes } from "../features/git/transport/api/git.ts";
import { crawlerRoutes } from "../features/integrations/feeds/web/crawlers.ts";
import { feedRoutes } from "../features/integrations/feeds/web/feeds.ts";
import { deliveryRoutes } from "../features/integrations/hooks/api/deliveries.ts";
import { gitHookRoutes } from "../features/integrations/hooks/api/git-hooks.ts";
import { hookRoutes } from "../features/integrations/hooks/api/hooks.ts";
import { hookPages } from "../features/integrations/hooks/web/hooks.tsx";
import { organizationRoutes } from "../features/organizations/orgs/api.ts";
import { organizationPages } from "../features/organizations/orgs/web.tsx";
import { memberRoutes } from "../features/organizations/teams/api/members.ts";
import { teamRepositoryRoutes } from "../features/organizations/teams/api/repositories.ts";
import { teamRoutes } from "../features/organizations/teams/api/teams.ts";
import { collaborationPages } from "../features/organizations/teams/web/collaboration.tsx";
import { memberPages } from "../features/organizations/teams/web/members.tsx";
import { ownOrganizationPages } from "../features/organizations/teams/web/own-organizations.tsx";
import { teamPages } from "../features/organizations/teams/web/teams.tsx";
import { adoptionRoutes } from "../features/repositories/adoption/api.ts";
import { branchRoutes } from "../features/repositories/branches/api/branches.ts";
import { deletedBranchRoutes } from "../features/repositories/branches/api/deleted.ts";
import { referenceRoutes } from "../features/repositories/branches/api/references.ts";
import { tagRoutes } from "../features/repositories/branches/api/tags.ts";
import { branchPages } from "../features/repositories/branches/web/branches.tsx";
import { refNameRoutes } from "../features/repositories/branches/web/lists.ts";
import { rulePages } from "../features/repositories/branches/web/rules.tsx";
import { tagPages } from "../features/repositories/branches/web/tags.tsx";
import { commitRoutes } from "../features/repositories/commits/api.ts";
import { compareTips } from "../features/repositories/commits/service/compare-tips.ts";
import { createGraphReader } from "../features/repositories/commits/service/graph.ts";
import { graphPages } from "../features/repositories/commits/web/graph.tsx";
import { historyPages } from "../features/repositories/commits/web.tsx";
import { archiveRoutes } from "../features/repositories/contents/api/archives.ts";
import { changeRoutes } from "../features/repositories/contents/api/changes.ts";
import { contentsRoutes } from "../features/repositories/contents/api/contents.ts";
import { editorSettingsRoutes } from "../features/repositories/contents/api/editor-settings.ts";
import { rawRoutes } from "../features/repositories/contents/api/raw.ts";
import type { OpenLargeFile } from "../features/repositories/contents/model.ts";
import { createNotebookReader } from "../features/repositories/contents/service/notebook.ts";
import { otherAddressPages } from "../features/repositories/contents/web/addresses.ts";
import { tracingPages } from "../features/repositories/contents/web/blame.tsx";
import { editingPages } from "../features/repositories/contents/web/edit.tsx";
import { pickingPages } from "../features/repositories/contents/web/pick.tsx";
import { contentsPages } from "../features/repositories/contents/web/read.tsx";
import { switchPages } from "../features/repositories/contents/web/switch.ts";
import { uploadPages } from "../features/repositories/contents/web/upload.tsx";
import { createShownDiffsCache } from "../features/repositories/diffs/shown-diffs.ts";
import { commitPages } from "../features/repositories/diffs/web.tsx";
import { forkRoutes } from "../features/repositories/forks/api.ts";
import { forkPages } from "../features/repositories/forks/web.tsx";
import { migrationRoutes } from "../features/repositories/migrations/api.ts";
import { mirrorRoutes } from "../features/repositories/mirrors/api.ts";
import { mirrorPages } from "../features/repositories/mirrors/web.tsx";
import { branchProtectionRoutes } from "../features/repositories/protections/api/branches.ts";
import { tagProtectionRoutes } from "../features/repositories/protections/api/tags.ts";
import { releaseRoutes } from "../features/repositories/releases/api/releases.ts";
import { findLatest, hasRelease } from "../features/repositories/releases/service/find.ts";
import { releasePages } from "../features/repositories/releases/web.tsx";
import { collaboratorRoutes } from "../features/repositories/repos/api/collaborators.ts";
import { deletedRepositoryRoutes } from "../features/repositories/repos/api/deleted.ts";
import { descriptionRoutes } from "../features/repositories/repos/api/descriptions.ts";
import { repositoryListRoutes } from "../features/repositories/repos/api/lists.ts";
import { repositoryRoutes } from "../features/repositories/repos/api/repositories.ts";
import { starAndWatchRoutes } from "../features/repositories/repos/api/stars-and-watches.ts";
import { newRepositoryPages } from "../features/repositories/repos/web/create.tsx";
import { ownDeletedPages } from "../features/repositories/repos/web/deleted.tsx";
import { repositorySettingsPages } from "../features/repositories/repos/web/settings.tsx";
import { starAndWatchPages } from "../features/repositories/repos/web/stars-and-watches.tsx";
import { explorePage, repositoryPages } from "../features/repositories/repos/web.tsx";
import { statusRoutes } from "../features/repositories/statuses/api.ts";
import { repositoryTemplateRoutes } from "../features/repositories/template-repos/api.ts";
import { transferRoutes } from "../features/repositories/transfers/api.ts";
import { transferPages } from "../features/repositories/transfers/web.tsx";
import { wikiRoutes } from "../features/repositories/wiki/api.ts";
import { wikiPages } from "../features/repositories/wiki/web.tsx";
import { activityRoutes } from "../features/site/activities/api.ts";
import { activityPages } from "../features/site/activities/web.tsx";
import { badgeRoutes } from "../features/site/admin/api/badges.ts";
import { jobRoutes } from "../features/site/admin/api/jobs.ts";
import { scheduleRoutes } from "../features/site/admin/api/schedules.ts";
import { serverStatusRoutes } from "../features/site/admin/api/status.ts";
import { storeProblemRoutes } from "../features/site/admin/api/store-problems.ts";
import { adminUserRoutes } from "../features/site/admin/api/users.ts";
import type { ServerStatusView } from "../features/site/admin/model.ts";
import type { Samples } from "../features/site/admin/samples.ts";
import { deleteAccountPages } from "../features/site/admin/web/delete-account.tsx";
import { jobPages } from "../features/site/admin/web/jobs.tsx";
import { adminListPages } from "../features/site/admin/web/organizations-and-repositories.tsx";
import { serverPages } from "../features/site/admin/web/server.tsx";
import { statusPages } from "../features/site/admin/web/status.tsx";
import { adminUserPages } from "../features/site/admin/web/users.tsx";
import { auditRoutes } from "../features/site/audit/api.ts";
import { dashboardPages } from "../features/site/dashboard/web.tsx";
import { draftRoutes } from "../features/site/drafts/api.ts";
import { templateRoutes } from "../features/site/license-templates/api.ts";
import { markupRoutes } from "../features/site/markup/api.ts";
import { metaRoutes } from "../features/site/meta/api.ts";
import { metaPages } from "../features/site/meta/web.ts";
import { knownAddresses } from "../features/site/meta/web-addresses.ts";
import { profilePages } from "../features/site/profiles/web.tsx";
import type { HttpMetrics } from "../http/metrics.ts";
import type { Route } from "../http/route.ts";
import type { Schedule } from "../jobs/schedule.ts";
import type { Context } from "./context.ts";
import { historyPaths } from "./history-paths.ts";
import { resolverOf } from "./references.ts";
import { createTokenRepositories } from "./token-repositories.ts";

/** Every route of the server, in the order of the features. */
export function allRoutes(
  context: Context & {
    readonly metrics: HttpMetrics;
    readonly passwords: PasswordGate;
    readonly schedules: readonly Schedule[];
    readonly signer: Signer;
    readonly samples: Samples;
    readonly serverFacts: () => ServerStatusView;
    /** Aborted when the server stops. */
    readonly stopping: AbortSignal;
  },
): readonly Route[] {
  const routes: Route[] = [];
  const readNotebook = createNotebookReader();
  const readGraph = createGraphReader();
  const templateReader = createTemplateReader(context);
  const shownDiffs = createShownDiffsCache();
  const openLarge: OpenLargeFile = (repoId, pointer) => openLargeFile(context, repoId, pointer);
  const oidc = createOidcSignIn(context);
  routes.push(
    ...templateRoutes(context),
    ...markupRoutes({ ...context, resolverOf: (actor) => resolverOf(context, actor) }),
    ...userRoutes({ ...context, tokenRepositories: createTokenRepositories(context) }),
    ...emailRoutes(context),
    ...twoFactorRoutes(context),
    ...followRoutes(context),
    ...sessionRoutes(context),
    ...userSettingsPages(context),
    ...accountPages(context),
    ...twoFactorPages(context),
    ...tokenPages({ ...context, tokenRepositories: createTokenRepositories(context) }),
    ...sessionPages({
      ...context,
      otherWaysIn: oidc.offers,
      accountOfProxyUser: (person) => accountOfProxyUser(context, person),
      mayRegister: context.config.registration.enabled,
    }),
    ...draftRoutes(context),
    ...organizationRoutes(context),
    ...organizationPages(context),
    ...organizationLabelRoutes(context),
    ...repositoryLabelRoutes(context),
    ...branchProtectionRoutes(context),
    ...tagProtectionRoutes(context),
    ...repositoryRoutes(context),
    ...deletedRepositoryRoutes(context),
    ...repositoryListRoutes(context),
    ...repositoryPages(context),
    ...newRepositoryPages(context),
    ...repositorySettingsPages(context),
    ...ownDeletedPages(context),
    ...descriptionRoutes(context),
    ...collaboratorRoutes(context),
    ...starAndWatchRoutes(context),
    ...starAndWatchPages(context),
    ...blockRoutes(context),
    ...blockPages(context),
    ...userKeyRoutes(context),
    ...userKeyPages(context),
    ...deployKeyRoutes(context),
    ...deployKeyPages(context),
    ...gpgKeyRoutes(context),
    ...gpgKeyPages(context),
    ...applicationRoutes(context),
    ...oauthEndpoints(context),
    ...oauthPages(context),
    ...applicationPages(context),
    ...signingKeyRoutes(context),
    ...memberRoutes(context),
    ...teamRoutes(context),
    ...teamRepositoryRoutes(context),
    ...collaborationPages(context),
    ...memberPages(context),
    ...teamPages(context),
    ...ownOrganizationPages(context),
    ...branchRoutes(context),
    ...deletedBranchRoutes(context),
    ...tagRoutes({ ...context, tagUses: { hasRelease } }),
    ...referenceRoutes(context),
    ...branchPages({ ...context, compareTips: (repository, base, heads) => compareTips({ ...context, readGraph }, repository, base, heads) }),
    ...tagPages({ ...context, tagUses: { hasRelease } }),
    ...refNameRoutes(context),
    ...rulePages(context),
    ...commitRoutes({ ...context, bringHead: (viewing, head) => bringHead(context, viewing, head) }),
    ...historyPages({ ...context, ...historyPaths(context) }),
    ...graphPages({ ...context, readGraph }),
    ...statusRoutes(context),
    ...contentsRoutes(context),
    ...rawRoutes({ ...context, readNotebook, openLarge }),
    ...contentsPages({
      ...context,
      openLarge,
      readNotebook,
      resolverOf: (actor) => resolverOf(context, actor),
      hasSsh: context.config.ssh.enabled,
      findLatestRelease: (repository) => findLatest(context, repository),
    }),
    ...commitPages({ ...context, shownDiffs }),
    ...switchPages(context),
    ...otherAddressPages(context),
    ...tracingPages(context),
    ...pickingPages(context),
    ...editingPages(context),
    ...uploadPages(context),
    ...changeRoutes(context),
    ...archiveRoutes(context),
    ...editorSettingsRoutes(context),
    ...forkRoutes(context),
    ...forkPages(context),
    ...repositoryTemplateRoutes(context),
    ...transferRoutes(context),
    ...transferPages(context),
    ...adoptionRoutes(context),
    ...wikiRoutes(context),
    ...wikiPages({ ...context, resolverOf: (actor) => resolverOf(context, actor) }),
    ...mirrorRoutes(context),
    ...mirrorPages(context),
    ...migrationRoutes(context),
    ...hookRoutes(context),
    ...deliveryRoutes(context),
    ...hookPages(context),
    ...gitHookRoutes(),
    ...milestoneRoutes(context),
    ...milestonePages({ ...context, resolverOf: (actor) => resolverOf(context, actor) }),
    ...labelPages(context),
    ...issueSearchRoutes(context),
    ...issueRoutes(context),
    ...issuePlanRoutes(context),
    ...commentRoutes(context),
    ...reactionRoutes(context),
    ...issueLinkRoutes(context),
    ...timeRoutes(context),
    ...issueTemplateRoutes({ ...context, templateReader }),
    ...issuePages({ ...context, resolverOf: (actor) => resolverOf(context, actor) }),
    ...bulkPages(context),
    ...newIssuePages({ ...context, templateReader, resolverOf: (actor) => resolverOf(context, actor) }),
    ...planPages(context),
    ...suggestionRoutes(context),
    ...versionPages(context),
    ...issueEditPages({ ...context, resolverOf: (actor) => resolverOf(context, actor) }),
    ...pullRoutes(context),
    ...pullChangeRoutes(context),
    ...pullMergeRoutes(context),
    ...pullPages({
      ...context,
      resolverOf: (actor) => resolverOf(context, actor),
      loadReviewTimeline: loadReviewTimeline(context),
    }),
    ...comparePages({ ...context, shownDiffs }),
    ...basePages(context),
    ...conflictPages(context),
    ...reviewRoutes(context),
    ...reviewRequestRoutes(context),
    ...reviewCommentRoutes(context),
    ...ownCommentPages(context),
    ...dismissalPages(context),
    ...reviewRequestPages(context),
    ...reviewPages({ ...context, shownDiffs, resolverOf: (actor) => resolverOf(context, actor) }),
    ...releaseRoutes(context),
    ...releasePages({ ...context, resolverOf: (actor) => resolverOf(context, actor) }),
    ...avatarUploadRoutes(context),
    ...picturePages(context),
    ...pictureRoutes(context),
    ...attachmentRoutes(context),
    ...releaseFormPages(context),
    ...downloadRoutes(context),
    ...notificationRoutes(context),
    ...inboxPages(context),
    ...unsubscribePages(context),
    ...transportRoutes(context),
    ...lfsObjectRoutes(context),
    ...lfsLockRoutes(context),
    ...recoveryRoutes(context),
    ...recoveryPages(context),
    ...registrationPages(context),
    ...sourceRoutes(context),
    ...identityRoutes(context),
    ...adminSourcePages(context),
    ...sourcePages({ ...context, oidc }),
    ...auditRoutes(context),
    ...activityRoutes(context),
    ...activityPages(context),
    ...feedRoutes({ ...context, resolverOf: (actor) => resolverOf(context, actor) }),
    ...dashboardPages({ ...context, welcome: (request) => explorePage(context, request, {}) }),
    ...profilePages({ ...context, readNotebook, openLarge, resolverOf: (actor) => resolverOf(context, actor) }),
    ...crawlerRoutes({ ...context, signInRequired: context.config.server.sign_in_required }),
    ...adminUserRoutes(context),
    ...deleteAccountPages(context),
    ...adminUserPages(context),
    ...adminListPages(context),
    ...serverPages(context),
    ...serverStatusRoutes(context),
    ...statusPages(context),
    ...badgeRoutes(context),
    ...jobRoutes(context),
    ...jobPages(context),
    ...scheduleRoutes(context),
    ...storeProblemRoutes(context),
    ...metaRoutes(context, () => routes),
    ...metaPages(() => routes),
    ...knownAddresses(),
  );
  return routes;
}
