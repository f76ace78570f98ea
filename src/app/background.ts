import { pruneEvents } from "../events/retention.ts";
import { handleSourceJobs } from "../features/accounts/auth-sources/listener.ts";
import { findLinkedAccounts } from "../features/accounts/auth-sources/service/linked.ts";
import { handleAvatarJobs } from "../features/accounts/avatars/listener.ts";
import { pruneTokens } from "../features/accounts/oauth2/service/tokens.ts";
import { handleRecoveryJobs } from "../features/accounts/recovery/listener.ts";
import { pruneCodes } from "../features/accounts/recovery/service/codes.ts";
import { handleRegistrationJobs } from "../features/accounts/registration/listener.ts";
import { pruneSessions } from "../features/accounts/sessions/service/sessions.ts";
import { pruneSignIns } from "../features/accounts/users/service/throttle.ts";
import { pruneUploads } from "../features/collaboration/attachments/service/uploads.ts";
import { sendIssueMail } from "../features/collaboration/issue-mail/listener.ts";
import { sendRepositoryMail } from "../features/collaboration/repository-mail/listener.ts";
import { handleHookJobs } from "../features/integrations/hooks/listener/keep.ts";
import { pruneDeliveries } from "../features/integrations/hooks/service/prune.ts";
import { pruneDeletedBranches } from "../features/repositories/branches/service/deleted.ts";
import { handleMigrationJobs } from "../features/repositories/migrations/listener.ts";
import { handleMirrorJobs } from "../features/repositories/mirrors/listener.ts";
import { checkForgottenStores, checkStore, checkStoreJob } from "../features/repositories/refs/service/health.ts";
import {
  collectMovedStores,
  collectStore,
  collectStoreJob,
  tidyStore,
  tidyStoreJob,
  tidyWrittenStores,
} from "../features/repositories/refs/service/housekeeping.ts";
import type { Projector } from "../features/repositories/refs/service/projector.ts";
import { handleRepositoryJobs } from "../features/repositories/repos/listener.ts";
import { recountFiles } from "../features/repositories/repos/service/sizes.ts";
import { pruneActivities } from "../features/site/activities/service/record.ts";
import { handleFileJobs } from "../features/site/blobs/listener.ts";
import { pruneDrafts } from "../features/site/drafts/service/drafts.ts";
import { handleMailJobs } from "../features/site/mail/listener.ts";
import { sweepStores } from "../git/maintain/sweep.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { pruneFailedJobs } from "../jobs/retention.ts";
import { probeFiles } from "../storage/open.ts";
import type { Context } from "./context.ts";
import { resolverOf } from "./references.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** How long delivered events stay, for whoever looks into what happened. */
const keptEventsMs = 30 * dayMs;
/** How long feeds reach back. */
const keptActivitiesMs = 732 * dayMs;
/** How long jobs stay that were put aside after too many failures. */
const keptFailedJobsMs = 90 * dayMs;

export interface BackgroundDeps extends Context {
  readonly jobs: JobQueue;
  /** For calls of webhooks alone: how slow their receivers are is nobody else's matter. */
  readonly receivers: JobQueue;
  /** For mirrors alone, whose remotes can be as slow. */
  readonly mirroring: JobQueue;
  /** For repositories from elsewhere alone, which take as long as they are large. */
  readonly migrating: JobQueue;
  readonly projector: Projector;
}

/** Every kind of work that is done behind the requests. */
export function registerBackground(deps: BackgroundDeps): void {
  const { config, db, clock, jobs } = deps;
  handleRepositoryJobs(jobs, deps);
  handleAvatarJobs(jobs, deps);
  handleFileJobs(jobs, deps);
  handleMailJobs(jobs, deps);
  sendIssueMail(jobs, { ...deps, resolverOf: (reader) => resolverOf(deps, reader) });
  sendRepositoryMail(jobs, deps);
  handleRecoveryJobs(jobs, deps);
  handleRegistrationJobs(jobs, deps);
  handleHookJobs(jobs, deps.receivers, deps);
  handleMirrorJobs(jobs, deps.mirroring, deps);
  handleMigrationJobs(jobs, deps.migrating, { ...deps, findLinkedAccounts: (issuer, subjects) => findLinkedAccounts(db, issuer, subjects) });
  handleSourceJobs(jobs, deps);
  jobs.handle(tidyStoreJob, (run) => tidyStore(deps, run));
  jobs.handle(collectStoreJob, (run) => collectStore(deps, run));
  jobs.schedule({ name: "tidy_stores", everyMs: 10 * minuteMs }, () => tidyWrittenStores(deps));
  jobs.handle(checkStoreJob, (run) => checkStore(deps, run));
  jobs.schedule({ name: "repo_health_check", everyMs: dayMs, offsetMs: dayMs / 5 }, () => checkForgottenStores(deps));
  jobs.schedule({ name: "check_repo_stats", everyMs: dayMs, offsetMs: dayMs / 9 }, () => recountFiles(deps));
  jobs.schedule({ name: "git_gc_repos", everyMs: 7 * dayMs, offsetMs: dayMs / 4 }, () => collectMovedStores(deps));
  // At the start only what is older than the process goes; a server that runs for months sweeps what dead git processes left.
  jobs.schedule({ name: "sweep_stores", everyMs: dayMs, offsetMs: dayMs / 6 }, async () => {
    await sweepStores(deps.git, clock.now() - dayMs);
  });
  jobs.schedule({ name: "sweep_sessions", everyMs: dayMs, offsetMs: dayMs / 12 }, async () => {
    await pruneSessions(deps);
    await pruneCodes(deps);
    await pruneTokens(deps);
    await pruneDrafts(deps);
    await pruneUploads(deps);
  });
  jobs.schedule({ name: "forget_failed_sign_ins", everyMs: 10 * minuteMs }, () => pruneSignIns(deps));
  jobs.schedule({ name: "cleanup_hook_task_table", everyMs: dayMs, offsetMs: dayMs / 24 }, () =>
    pruneDeliveries(deps, clock.now() - config.webhook.keep_days * dayMs),
  );
  jobs.schedule({ name: "retention", everyMs: dayMs, offsetMs: dayMs / 8 }, async () => {
    await pruneEvents({ db }, clock.now() - keptEventsMs);
    await pruneActivities({ db }, clock.now() - keptActivitiesMs);
    await pruneFailedJobs({ db }, clock.now() - keptFailedJobsMs);
    await pruneDeletedBranches(deps);
  });
}

/**
 * Brings in order what an earlier process may have left half-done: refs that the disk does not show yet, quarantines and locks.
 * Nothing waits for it; a store that cannot be swept does not stop the server.
 * @param startedMs when this process began, by the file system's clock: what is younger is alive
 */
export async function recover(deps: BackgroundDeps, startedMs: number): Promise<void> {
  const { git, log, projector } = deps;
  const behind = await projector.start();
  const swept = await sweepStores(git, startedMs);
  if (behind > 0 || swept.removed > 0 || swept.failed > 0) log.info({ behind, ...swept }, "what an earlier process left was brought in order");
  await probeFiles(deps).catch((error: unknown) => log.error({ err: error }, "uploaded files cannot be reached: uploads and downloads fail until they can"));
}
