import { authSourcesFeature } from "../features/accounts/auth-sources/feature.ts";
import { avatarsFeature } from "../features/accounts/avatars/feature.ts";
import { blocksFeature } from "../features/accounts/blocks/feature.ts";
import { keysFeature } from "../features/accounts/keys/feature.ts";
import { oauth2Feature } from "../features/accounts/oauth2/feature.ts";
import type { Signer } from "../features/accounts/oauth2/service/signer.ts";
import { recoveryFeature } from "../features/accounts/recovery/feature.ts";
import { registrationFeature } from "../features/accounts/registration/feature.ts";
import { sessionsFeature } from "../features/accounts/sessions/feature.ts";
import type { PasswordGate } from "../features/accounts/sessions/service/sign-in.ts";
import { usersFeature } from "../features/accounts/users/feature.ts";
import { runnersFeature } from "../features/actions/runners/feature.ts";
import { runsFeature } from "../features/actions/runs/feature.ts";
import type { LogFeed } from "../features/actions/runs/service/log-feed.ts";
import type { Masks } from "../features/actions/runs/service/masks.ts";
import type { WaitingRunners } from "../features/actions/runs/service/waiting-runners.ts";
import { secretsFeature } from "../features/actions/secrets/feature.ts";
import { attachmentsFeature } from "../features/collaboration/attachments/feature.ts";
import { commitCommentsFeature } from "../features/collaboration/commit-comments/feature.ts";
import { issueMailFeature } from "../features/collaboration/issue-mail/feature.ts";
import { issuesFeature } from "../features/collaboration/issues/feature.ts";
import { labelsFeature } from "../features/collaboration/labels/feature.ts";
import { milestonesFeature } from "../features/collaboration/milestones/feature.ts";
import { notificationsFeature } from "../features/collaboration/notifications/feature.ts";
import { pullsFeature } from "../features/collaboration/pulls/feature.ts";
import { repositoryMailFeature } from "../features/collaboration/repository-mail/feature.ts";
import { reviewsFeature } from "../features/collaboration/reviews/feature.ts";
import { savedRepliesFeature } from "../features/collaboration/saved-replies/feature.ts";
import { savedSearchesFeature } from "../features/collaboration/saved-searches/feature.ts";
import { lfsFeature } from "../features/git/lfs/feature.ts";
import { transportFeature } from "../features/git/transport/feature.ts";
import { feedsFeature } from "../features/integrations/feeds/feature.ts";
import { hooksFeature } from "../features/integrations/hooks/feature.ts";
import { orgsFeature } from "../features/organizations/orgs/feature.ts";
import { teamsFeature } from "../features/organizations/teams/feature.ts";
import { adoptionFeature } from "../features/repositories/adoption/feature.ts";
import { branchesFeature } from "../features/repositories/branches/feature.ts";
import { commitsFeature } from "../features/repositories/commits/feature.ts";
import { contentsFeature } from "../features/repositories/contents/feature.ts";
import { diffsFeature } from "../features/repositories/diffs/feature.ts";
import { forksFeature } from "../features/repositories/forks/feature.ts";
import { migrationsFeature } from "../features/repositories/migrations/feature.ts";
import { mirrorsFeature } from "../features/repositories/mirrors/feature.ts";
import { pinsFeature } from "../features/repositories/pins/feature.ts";
import { protectionsFeature } from "../features/repositories/protections/feature.ts";
import { refsFeature } from "../features/repositories/refs/feature.ts";
import { releasesFeature } from "../features/repositories/releases/feature.ts";
import { reposFeature } from "../features/repositories/repos/feature.ts";
import { starListsFeature } from "../features/repositories/star-lists/feature.ts";
import { statusesFeature } from "../features/repositories/statuses/feature.ts";
import { templateReposFeature } from "../features/repositories/template-repos/feature.ts";
import { transfersFeature } from "../features/repositories/transfers/feature.ts";
import { wikiFeature } from "../features/repositories/wiki/feature.ts";
import { activitiesFeature } from "../features/site/activities/feature.ts";
import { adminFeature } from "../features/site/admin/feature.ts";
import type { ServerStatusView } from "../features/site/admin/model.ts";
import type { Samples } from "../features/site/admin/samples.ts";
import type { Environment } from "../features/site/admin/self-check/model.ts";
import { auditFeature } from "../features/site/audit/feature.ts";
import { blobsFeature } from "../features/site/blobs/feature.ts";
import { dashboardFeature } from "../features/site/dashboard/feature.ts";
import { designFeature } from "../features/site/design/feature.ts";
import { diagramsFeature } from "../features/site/diagrams/feature.ts";
import { draftsFeature } from "../features/site/drafts/feature.ts";
import { editorFeature } from "../features/site/editor/feature.ts";
import { imagesFeature } from "../features/site/images/feature.ts";
import { licenseTemplatesFeature } from "../features/site/license-templates/feature.ts";
import { mailFeature } from "../features/site/mail/feature.ts";
import { markupFeature } from "../features/site/markup/feature.ts";
import { metaFeature } from "../features/site/meta/feature.ts";
import { ownDataFeature } from "../features/site/own-data/feature.ts";
import { profilesFeature } from "../features/site/profiles/feature.ts";
import type { HttpMetrics } from "../http/metrics.ts";
import type { Route } from "../http/route.ts";
import type { Schedule } from "../jobs/schedule.ts";
import type { Feature } from "../mount/feature.ts";
import type { Context } from "./context.ts";
import type { Ports } from "./ports.ts";

/** Everything that features are given. */
export interface ServerContext extends Context, Ports {
  readonly metrics: HttpMetrics;
  readonly passwords: PasswordGate;
  readonly signer: Signer;
  readonly samples: Samples;
  readonly waitingRunners: WaitingRunners;
  readonly logMasks: Masks;
  readonly logFeed: LogFeed;
  readonly serverDetails: () => ServerStatusView;
  readonly environment: () => Environment;
  /** Every schedule of the server, for administration. */
  readonly schedules: readonly Schedule[];
  /** Every route of the server, for its description. */
  readonly allRoutes: () => readonly Route[];
  /** Aborted when the server is about to stop, before it refuses connections. */
  readonly draining: AbortSignal;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Every feature, in the order of `tools/layers.ts`. A new feature is one folder and one line here. */
export const features: readonly Feature<ServerContext>[] = [
  licenseTemplatesFeature,
  markupFeature,
  diagramsFeature,
  editorFeature,
  mailFeature,
  usersFeature,
  sessionsFeature,
  draftsFeature,
  savedRepliesFeature,
  savedSearchesFeature,
  recoveryFeature,
  registrationFeature,
  orgsFeature,
  labelsFeature,
  refsFeature,
  protectionsFeature,
  reposFeature,
  pinsFeature,
  starListsFeature,
  blobsFeature,
  teamsFeature,
  blocksFeature,
  keysFeature,
  oauth2Feature,
  branchesFeature,
  commitsFeature,
  statusesFeature,
  contentsFeature,
  imagesFeature,
  diffsFeature,
  forksFeature,
  templateReposFeature,
  transfersFeature,
  adoptionFeature,
  wikiFeature,
  mirrorsFeature,
  milestonesFeature,
  issuesFeature,
  commitCommentsFeature,
  pullsFeature,
  reviewsFeature,
  releasesFeature,
  avatarsFeature,
  attachmentsFeature,
  notificationsFeature,
  issueMailFeature,
  repositoryMailFeature,
  transportFeature,
  lfsFeature,
  migrationsFeature,
  authSourcesFeature,
  auditFeature,
  activitiesFeature,
  feedsFeature,
  dashboardFeature,
  designFeature,
  profilesFeature,
  hooksFeature,
  secretsFeature,
  runnersFeature,
  runsFeature,
  adminFeature,
  metaFeature,
  ownDataFeature,
];
