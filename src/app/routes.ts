import { activityRoutes } from "../features/activities/api.ts";
import { activityPages } from "../features/activities/web.tsx";
import { badgeRoutes } from "../features/admin/api/badges.ts";
import { jobRoutes } from "../features/admin/api/jobs.ts";
import { scheduleRoutes } from "../features/admin/api/schedules.ts";
import { serverStatusRoutes } from "../features/admin/api/status.ts";
import { storeProblemRoutes } from "../features/admin/api/store-problems.ts";
import { adminUserRoutes } from "../features/admin/api/users.ts";
import type { Samples } from "../features/admin/samples.ts";
import type { ServerFacts } from "../features/admin/view.ts";
import { deleteAccountPages } from "../features/admin/web/delete-account.tsx";
import { jobPages } from "../features/admin/web/jobs.tsx";
import { adminPlacePages } from "../features/admin/web/places.tsx";
import { serverPages } from "../features/admin/web/server.tsx";
import { statusPages } from "../features/admin/web/status.tsx";
import { adminUserPages } from "../features/admin/web/users.tsx";
import { adoptionRoutes } from "../features/adoption/api.ts";
import { downloadRoutes } from "../features/attachments/api/downloads.ts";
import { attachmentRoutes } from "../features/attachments/api/held.ts";
import { releaseFormPages } from "../features/attachments/web/release-form.tsx";
import { auditRoutes } from "../features/audit/api.ts";
import { pictureRoutes } from "../features/avatars/api/pictures.ts";
import { avatarUploadRoutes } from "../features/avatars/api/uploads.ts";
import { picturePages } from "../features/avatars/web.tsx";
import { blockRoutes } from "../features/blocks/api.ts";
import { blockPages } from "../features/blocks/web.tsx";
import { branchRoutes } from "../features/branches/api/branches.ts";
import { deletedBranchRoutes } from "../features/branches/api/deleted.ts";
import { referenceRoutes } from "../features/branches/api/references.ts";
import { tagRoutes } from "../features/branches/api/tags.ts";
import { branchPages } from "../features/branches/web/branches.tsx";
import { refNameRoutes } from "../features/branches/web/lists.ts";
import { rulePages } from "../features/branches/web/rules.tsx";
import { tagPages } from "../features/branches/web/tags.tsx";
import { commitRoutes } from "../features/commits/api.ts";
import { compareTips } from "../features/commits/service/compare-tips.ts";
import { createGraphReader } from "../features/commits/service/graph.ts";
import { graphPages } from "../features/commits/web/graph.tsx";
import { historyPages } from "../features/commits/web.tsx";
import { archiveRoutes } from "../features/contents/api/archives.ts";
import { changeRoutes } from "../features/contents/api/changes.ts";
import { contentsRoutes } from "../features/contents/api/contents.ts";
import { editorSettingsRoutes } from "../features/contents/api/editor-settings.ts";
import { rawRoutes } from "../features/contents/api/raw.ts";
import { createNotebookReader } from "../features/contents/service/notebook.ts";
import type { OpenLargeFile } from "../features/contents/view.ts";
import { otherAddressPages } from "../features/contents/web/addresses.ts";
import { editingPages } from "../features/contents/web/edit.tsx";
import { pickingPages } from "../features/contents/web/pick.tsx";
import { contentsPages } from "../features/contents/web/read.tsx";
import { switchPages } from "../features/contents/web/switch.ts";
import { tracingPages } from "../features/contents/web/trace.tsx";
import { uploadPages } from "../features/contents/web/upload.tsx";
import { dashboardPages } from "../features/dashboard/web.tsx";
import { createShownDiffsCache } from "../features/diffs/shown-diffs.ts";
import { commitPages } from "../features/diffs/web.tsx";
import { draftRoutes } from "../features/drafts/api.ts";
import { crawlerRoutes } from "../features/feeds/web/crawlers.ts";
import { feedRoutes } from "../features/feeds/web/feeds.ts";
import { forkRoutes } from "../features/forks/api.ts";
import { forkPages } from "../features/forks/web.tsx";
import { deliveryRoutes } from "../features/hooks/api/deliveries.ts";
import { gitHookRoutes } from "../features/hooks/api/git-hooks.ts";
import { hookRoutes } from "../features/hooks/api/hooks.ts";
import { hookPages } from "../features/hooks/web/hooks.tsx";
import { unsubscribePages } from "../features/issue-mail/web.tsx";
import { commentRoutes } from "../features/issues/api/comments.ts";
import { issueRoutes } from "../features/issues/api/issues.ts";
import { issueLinkRoutes } from "../features/issues/api/links.ts";
import { issuePlanRoutes } from "../features/issues/api/plan.ts";
import { reactionRoutes } from "../features/issues/api/reactions.ts";
import { issueSearchRoutes } from "../features/issues/api/search.ts";
import { issueTemplateRoutes } from "../features/issues/api/templates.ts";
import { timeRoutes } from "../features/issues/api/times.ts";
import { createTemplateReader } from "../features/issues/service/templates.ts";
import { bulkPages } from "../features/issues/web/bulk.tsx";
import { issueEditPages } from "../features/issues/web/edit.tsx";
import { labelPages } from "../features/issues/web/labels.tsx";
import { newIssuePages } from "../features/issues/web/new-issue.tsx";
import { planPages } from "../features/issues/web/plan.tsx";
import { suggestionRoutes } from "../features/issues/web/suggestions.ts";
import { versionPages } from "../features/issues/web/versions.tsx";
import { issuePages } from "../features/issues/web.tsx";
import { deployKeyRoutes } from "../features/keys/api/deploy-keys.ts";
import { gpgKeyRoutes } from "../features/keys/api/gpg-keys.ts";
import { signingKeyRoutes } from "../features/keys/api/signing-keys.ts";
import { userKeyRoutes } from "../features/keys/api/user-keys.ts";
import { deployKeyPages } from "../features/keys/web/deploy-keys.tsx";
import { gpgKeyPages } from "../features/keys/web/gpg-keys.tsx";
import { userKeyPages } from "../features/keys/web/user-keys.tsx";
import { organizationLabelRoutes } from "../features/labels/api/organization-labels.ts";
import { repositoryLabelRoutes } from "../features/labels/api/repository-labels.ts";
import { lfsLockRoutes } from "../features/lfs/api/locks.ts";
import { lfsObjectRoutes } from "../features/lfs/api/objects.ts";
import { openLargeFile } from "../features/lfs/service/objects.ts";
import { markupRoutes } from "../features/markup/api.ts";
import { metaRoutes } from "../features/meta/api.ts";
import { metaPages } from "../features/meta/web.ts";
import { knownAddresses } from "../features/meta/web-addresses.ts";
import { migrationRoutes } from "../features/migrations/api.ts";
import { milestoneRoutes } from "../features/milestones/api.ts";
import { milestonePages } from "../features/milestones/web.tsx";
import { mirrorRoutes } from "../features/mirrors/api.ts";
import { mirrorPages } from "../features/mirrors/web.tsx";
import { notificationRoutes } from "../features/notifications/api.ts";
import { inboxPages } from "../features/notifications/web.tsx";
import { applicationRoutes } from "../features/oauth2/api/applications.ts";
import { oauthEndpoints } from "../features/oauth2/api/endpoints.ts";
import type { Signer } from "../features/oauth2/service/signer.ts";
import { applicationPages } from "../features/oauth2/web/applications.tsx";
import { oauthPages } from "../features/oauth2/web/consent.tsx";
import { organizationRoutes } from "../features/orgs/api.ts";
import { organizationPages } from "../features/orgs/web.tsx";
import { profilePages } from "../features/profiles/web.tsx";
import { branchProtectionRoutes } from "../features/protections/api/branches.ts";
import { tagProtectionRoutes } from "../features/protections/api/tags.ts";
import { pullChangeRoutes } from "../features/pulls/api/changes.ts";
import { pullMergeRoutes } from "../features/pulls/api/merges.ts";
import { pullRoutes } from "../features/pulls/api/pulls.ts";
import { bringHead } from "../features/pulls/service/bring-head.ts";
import { basePages } from "../features/pulls/web/base.tsx";
import { comparePages } from "../features/pulls/web/compare.tsx";
import { conflictPages } from "../features/pulls/web/conflicts.tsx";
import { pullPages } from "../features/pulls/web.tsx";
import { recoveryRoutes } from "../features/recovery/api.ts";
import { recoveryPages } from "../features/recovery/web.tsx";
import { registrationPages } from "../features/registration/web.tsx";
import { releaseRoutes } from "../features/releases/api/releases.ts";
import { findLatest, hasRelease } from "../features/releases/service/find.ts";
import { releasePages } from "../features/releases/web.tsx";
import { repositoryTemplateRoutes } from "../features/repo-templates/api.ts";
import { audienceRoutes } from "../features/repos/api/audience.ts";
import { collaboratorRoutes } from "../features/repos/api/collaborators.ts";
import { deletedRepositoryRoutes } from "../features/repos/api/deleted.ts";
import { descriptionRoutes } from "../features/repos/api/descriptions.ts";
import { repositoryListRoutes } from "../features/repos/api/lists.ts";
import { repositoryRoutes } from "../features/repos/api/repositories.ts";
import { audiencePages } from "../features/repos/web/audience.tsx";
import { newRepositoryPages } from "../features/repos/web/create.tsx";
import { ownDeletedPages } from "../features/repos/web/deleted.tsx";
import { repositorySettingsPages } from "../features/repos/web/settings.tsx";
import { explorePage, repositoryPages } from "../features/repos/web.tsx";
import { reviewCommentRoutes } from "../features/reviews/api/comments.ts";
import { reviewRequestRoutes } from "../features/reviews/api/requests.ts";
import { reviewRoutes } from "../features/reviews/api/reviews.ts";
import { dismissalPages } from "../features/reviews/web/dismissals.ts";
import { reviewPages } from "../features/reviews/web/files.ts";
import { ownCommentPages } from "../features/reviews/web/own-comments.tsx";
import { reviewRequestPages } from "../features/reviews/web/requests.tsx";
import { tellReviews } from "../features/reviews/web/told.tsx";
import { sessionRoutes } from "../features/sessions/api.ts";
import type { PasswordGate } from "../features/sessions/service/sign-in.ts";
import { accountPages } from "../features/sessions/web/account.tsx";
import { tokenPages } from "../features/sessions/web/tokens.tsx";
import { twoFactorPages } from "../features/sessions/web/two-factor.tsx";
import { sessionPages } from "../features/sessions/web.tsx";
import { identityRoutes } from "../features/sources/api/identities.ts";
import { sourceRoutes } from "../features/sources/api/sources.ts";
import { createOidcSignIn } from "../features/sources/service/oidc.ts";
import { accountOfProxied } from "../features/sources/service/proxied.ts";
import { adminSourcePages } from "../features/sources/web/sources.tsx";
import { sourcePages } from "../features/sources/web.tsx";
import { statusRoutes } from "../features/statuses/api.ts";
import { memberRoutes } from "../features/teams/api/members.ts";
import { teamRepositoryRoutes } from "../features/teams/api/repositories.ts";
import { teamRoutes } from "../features/teams/api/teams.ts";
import { collaborationPages } from "../features/teams/web/collaboration.tsx";
import { memberPages } from "../features/teams/web/members.tsx";
import { ownOrganizationPages } from "../features/teams/web/own-organizations.tsx";
import { teamPages } from "../features/teams/web/teams.tsx";
import { templateRoutes } from "../features/templates/api.ts";
import { transferRoutes } from "../features/transfers/api.ts";
import { transferPages } from "../features/transfers/web.tsx";
import { transportRoutes } from "../features/transport/api/git.ts";
import { emailRoutes } from "../features/users/api/emails.ts";
import { followRoutes } from "../features/users/api/follows.ts";
import { twoFactorRoutes } from "../features/users/api/two-factor.ts";
import { userRoutes } from "../features/users/api/users.ts";
import { userSettingsPages } from "../features/users/web/settings.tsx";
import { wikiRoutes } from "../features/wiki/api.ts";
import { wikiPages } from "../features/wiki/web.tsx";
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
    readonly serverFacts: () => ServerFacts;
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
      accountOfProxied: (person) => accountOfProxied(context, person),
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
    ...audienceRoutes(context),
    ...audiencePages(context),
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
      tellReviews: tellReviews(context),
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
    ...adminPlacePages(context),
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
