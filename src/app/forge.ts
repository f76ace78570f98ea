import { type Config, ConfigError } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { type HostRules, parseHostRules } from "../core/host-rules.ts";
import { createKeyedMutex } from "../core/keyed-mutex.ts";
import type { Log } from "../core/log.ts";
import { createSealer } from "../core/sealer.ts";
import { createUrls } from "../core/urls.ts";
import { createDispatcher } from "../events/dispatcher.ts";
import { recordEvent } from "../events/events.ts";
import { createPasswordSources } from "../features/accounts/auth-sources/service/passwords.ts";
import { openServerSigner } from "../features/accounts/keys/service/server-signer.ts";
import { createSignatureVerifier } from "../features/accounts/keys/service/signatures.ts";
import { actorByAccessToken } from "../features/accounts/oauth2/service/bearer.ts";
import { createSigner } from "../features/accounts/oauth2/service/signer.ts";
import { createSessionIdentities } from "../features/accounts/sessions/service/sessions.ts";
import { hashPassword } from "../features/accounts/users/passwords.ts";
import { createIdentities } from "../features/accounts/users/service/identities.ts";
import { createPasswordGate } from "../features/accounts/users/service/password-gate.ts";
import type { ThrottleLimits } from "../features/accounts/users/service/throttle.ts";
import { actorByJobToken } from "../features/actions/runs/service/job-token.ts";
import { reviewing } from "../features/collaboration/reviews/service/verdicts.ts";
import { createRefAnswers } from "../features/git/transport/service/ref-responses.ts";
import { createRefListings } from "../features/repositories/refs/service/listings.ts";
import { createRefMenus } from "../features/repositories/refs/service/menus.ts";
import { createProjector, noProjector } from "../features/repositories/refs/service/projector.ts";
import { createRefSnapshots } from "../features/repositories/refs/service/snapshots.ts";
import { readAheadText } from "../features/repositories/repos/service/find.ts";
import { createSamples } from "../features/site/admin/samples.ts";
import { dropDraft } from "../features/site/drafts/service/drafts.ts";
import { createImageAddresses } from "../features/site/images/address.ts";
import { createImageLoader } from "../features/site/images/service/load.ts";
import { createPageTexts } from "../features/site/markup/page-texts.ts";
import { createMarkup } from "../features/site/markup/service.ts";
import { createWorkerPool } from "../features/site/markup/worker-pool.ts";
import { createUpkeep } from "../git/maintain/upkeep.ts";
import { checkGitVersion, gitWarning } from "../git/run/git-version.ts";
import { createFetchRequests } from "../git/send/fetch-requests.ts";
import { looksLikeSignedToken } from "../http/credentials.ts";
import { createIdempotency } from "../http/idempotency.ts";
import type { HttpListener } from "../http/listener.ts";
import { createMetrics } from "../http/metrics.ts";
import type { Route } from "../http/route.ts";
import { createHttpServer } from "../http/server.ts";
import { createJobQueue, type JobQueue, type JobQueueOptions } from "../jobs/queue.ts";
import { openWorkers } from "../jobs/workers.ts";
import type { Queues } from "../mount/feature.ts";
import { mountRoutes, registerBackground, registerTransactionHandlers } from "../mount/mount.ts";
import { createOutgoingClient } from "../outgoing/client.ts";
import { openFileStores } from "../storage/open.ts";
import { renderRefusal } from "../ui/error-page.tsx";
import { openRunners, openWorkflows } from "./actions.ts";
import { backupMetrics, openBackupWatch } from "./backup-state.ts";
import { scheduleBackups } from "./backups/scheduled.ts";
import { readCertificate } from "./certificate.ts";
import type { Context } from "./context.ts";
import { closeDataDirectory, makeDataDirectory } from "./data-directory.ts";
import { openConfiguredDatabase } from "./database.ts";
import { features, type ServerContext } from "./features.ts";
import { refuseIncompleteImport } from "./gitea-import/progress.ts";
import { laneMetrics, processLanesOf, requestLanesOf } from "./lanes.ts";
import { listenError, listeningOrigin } from "./listening.ts";
import { createLogs, type Logs } from "./log.ts";
import { openLogShipping } from "./log-shipping/ship.ts";
import type { Overrides } from "./overrides.ts";
import { createPorts } from "./ports.ts";
import { type Provisioned, provisionAdministrator } from "./provision.ts";
import { proxyUserReaderOf } from "./proxy-user.ts";
import { recover } from "./recover.ts";
import { scheduleRetention } from "./retention.ts";
import { loadSecretKey } from "./secret-key.ts";
import { describeEnvironment, describeServer } from "./server-details.ts";
import { createSshListener, type SshState, sshPrefix } from "./ssh.ts";
import { openConfiguredPackCache, openStores, requireSameKey } from "./stores.ts";
import { createSubjects } from "./subjects.ts";

/** Maximum number of concurrent webhook calls. */
const receiversAtOnce = 64;

/** Maximum number of concurrent mirror synchronizations. */
const mirrorsAtOnce = 3;

/** Maximum number of concurrent migrations. */
const migrationsAtOnce = 8;

/** The maintenance of one store at a time leaves the machine to requests. */
const storesAtOnce = 1;

/** Delayed jobs, which batch several changes, within this time count as due when the forge is settled. */
const soonMs = 60_000;

/** A complete forge that does not listen yet. Disposing it stops everything that it started. */
export interface Forge extends AsyncDisposable {
  readonly context: Context;
  readonly http: HttpListener;
  /** The declared routes. */
  readonly routes: readonly Route[];
  /** Problems that an operator should fix, although the server works. */
  readonly warnings: readonly string[];
  /** Set when this start created the first administrator. */
  readonly provisioned: Provisioned | undefined;
  /** Listens as configured. @returns the root URL */
  listen(): Promise<string>;
  /** Reloads the certificate for new connections. @throws ConfigError; the current certificate then stays in use */
  renewCertificate(): Promise<void>;
  /** State of git over SSH, after the forge has started to listen. */
  readonly sshState: SshState;
  /** Reports that the server is not ready for further requests. It still answers them. */
  drain(): void;
  /** Resolves when everything committed before the call has reached its listeners and no job is due. */
  settled(): Promise<void>;
}

/**
 * The composition root: creates a forge from a configuration. Resources opened so far are closed when a later step fails.
 * @throws ConfigError, or ForgeError `unavailable`, with one line for the operator
 */
export async function createForge(config: Config, overrides: Overrides = {}): Promise<Forge> {
  const startedMs = Date.now();
  await using opened = new AsyncDisposableStack();
  const logs = opened.adopt(overrides.log === undefined ? createLogs(config.log.level) : logsInto(overrides.log), ({ close }) => close());
  const { log, writeRequestLine } = logs;
  const clock = overrides.clock ?? systemClock;
  makeDataDirectory(config.dataDirectory);
  const sealer = createSealer(loadSecretKey(config));
  // Starts a process while the database is opened. Its result is checked below, so that a database error is reported first.
  const gitVersionRequested = begun(Promise.resolve(overrides.gitVersion ?? checkGitVersion(config.searchPath, config.git.binary)));
  const shipping = openLogShipping(config, { clock, log });
  const { onStatement } = overrides;
  const database = await openConfiguredDatabase(config, { log, follower: shipping.follower, ...(onStatement && { onStatement }) });
  const db = opened.adopt(database, () => database.close());
  opened.defer(() => shipping.stop());
  const jobWorkers = opened.adopt(await openWorkers({ db, log }), (joined) => joined.stop());
  await refuseIncompleteImport(db, jobWorkers.listRunning);
  registerTransactionHandlers(features, db, config);
  // Hashing a password takes a while on another thread, and runs in parallel with the following steps.
  const provisioning = begun(provisionAdministrator({ config, clock, db, hashPassword: overrides.hashPassword ?? hashPassword }));
  opened.defer(async () => void (await Promise.allSettled([provisioning])));
  const gitVersion = await gitVersionRequested;
  // After the database and the secret key exist.
  const warnings = [gitWarning(gitVersion), closeDataDirectory(config.dataDirectory)].filter((text) => text !== undefined);
  const fileStores = shipping.following(openFileStores(config));
  const { git, areShared } = await openStores(config, {
    db,
    fileStores,
    log,
    lanes: processLanesOf(config),
    packs: shipping.packs,
    spawner: overrides.spawner,
  });
  opened.defer(() => git.close());
  shipping.start();
  if (areShared) await requireSameKey(db, sealer);
  const certificate = await readCertificate(config);
  let port = config.server.port;
  const rootOrigin = config.server.root_url === "" ? undefined : new URL(config.server.root_url).origin;
  let sshState: SshState = { kind: "off" };
  const urls = createUrls(
    () => rootOrigin ?? listeningOrigin(config, port),
    (host) => sshPrefix(config, host, sshState),
  );
  const packCache = opened.adopt(await openConfiguredPackCache(config, log), (cache) => cache.close());
  const workers = opened.adopt(createWorkerPool({ log }), (pool) => pool.close());
  const imageAddresses = createImageAddresses({ sealer });
  const markup = createMarkup({ log, workers, ...(config.images.enabled && { pathOfImage: imageAddresses.pathOf }) });
  const refListings = createRefListings({ db });
  const commitSigner = config.signing.enabled ? await openServerSigner({ db, sealer }) : undefined;
  const signatures = createSignatureVerifier({ db, clock, commitSigner });
  const context: Context = {
    config,
    clock,
    log,
    urls,
    db,
    git,
    branchQueue: createKeyedMutex(),
    upkeep: createUpkeep(git.counters),
    ...requestLanesOf(config),
    packCache,
    fetchRequests: createFetchRequests(),
    refAnswers: createRefAnswers({ db, refListings }),
    refListings,
    refMenus: createRefMenus({ db }),
    workers,
    refSnapshots: createRefSnapshots({ db, git, refListings }),
    markup,
    pageTexts: createPageTexts({ log, workers, markup }),
    ...openWorkflows(opened, log),
    imageAddresses,
    imageLoader: createImageLoader({ client: createOutgoingClient({ rules: hostRulesOf(config.images.allowed_hosts) }) }),
    signatures,
    commitSigner,
    reviewing,
    sealer,
    webhookClient: createOutgoingClient({ rules: hostRulesOf(config.webhook.allowed_hosts) }),
    remotes: createOutgoingClient({ rules: hostRulesOf(config.migration.allowed_hosts) }),
    ...fileStores,
  };
  const dispatcher = createDispatcher(context);
  opened.defer(() => dispatcher.stop());
  opened.defer(jobWorkers.onEnded(dispatcher.takeOver));
  const onFailure: JobQueueOptions["onFailure"] = async (tx, { id: jobId, kind, error }) => {
    await recordEvent(tx, "job.failed", { jobId, kind, error });
  };
  const queueOf = (concurrency?: number): JobQueue =>
    opened.adopt(createJobQueue(context, { workers: jobWorkers, onFailure, ...(concurrency !== undefined && { concurrency }) }), (queue) => queue.stop());
  const queues: Queues = {
    default: queueOf(),
    actions: queueOf(),
    webhooks: queueOf(receiversAtOnce),
    mirrors: queueOf(mirrorsAtOnce),
    migrations: queueOf(migrationsAtOnce),
    upkeep: queueOf(storesAtOnce),
  };
  const allQueues = Object.values(queues);
  // Operators read the copies of refs on one machine; with several nodes each would have some of them.
  const projector = areShared ? noProjector : createProjector(context, overrides.projector);
  const backups = opened.adopt(await openBackupWatch(context), (watch) => watch.stop());
  const metrics = createMetrics([
    { name: "hearth_db_statements_total", help: "SQL statements sent.", kind: "counter", read: () => db.counters.statements },
    { name: "hearth_db_transactions_total", help: "Transactions committed.", kind: "counter", read: () => db.counters.transactions },
    { name: "hearth_git_processes_total", help: "Git processes started.", kind: "counter", read: () => git.counters.processes },
    {
      name: "hearth_upkeep_cpu_seconds_total",
      help: "CPU time of git processes that maintained stores.",
      kind: "counter",
      read: () => git.counters.maintenanceCpuMs / 1000,
    },
    ...laneMetrics(context),
    ...backupMetrics(backups, () => clock.now()),
    ...shipping.metrics,
    { name: "hearth_log_lines_dropped_total", help: "Log lines dropped.", kind: "counter", read: logs.droppedLines },
  ]);
  const passwords = createPasswordGate({ ...context, passwordSources: createPasswordSources(context), throttleLimits: throttleLimitsOf(config) });
  const identities = createIdentities({ ...context, passwords, repositoryText: readAheadText });
  opened.defer(() => identities.settled());
  const sessions = createSessionIdentities(context);
  opened.defer(() => sessions.settled());
  const signer = createSigner(context);
  const draining = new AbortController();
  const stopping = new AbortController();
  const samples = opened.adopt(
    createSamples({
      clock,
      read: () => ({
        memoryBytes: process.memoryUsage.rss(),
        requests: metrics.requests(),
        statements: db.counters.statements,
        gitProcesses: git.counters.processes,
        jobs: allQueues.reduce((sum, { counters }) => sum + counters.done + counters.failed, 0),
      }),
    }),
    (taken) => taken.stop(),
  );
  const serverContext: ServerContext = {
    ...context,
    ...createPorts(context),
    metrics,
    passwords: identities,
    schedules: queues.default.schedules,
    signer,
    samples,
    ...openRunners(opened, context),
    serverDetails: () => describeServer(context, { startedMs, gitVersion, warnings, backups, logShipping: shipping.status }, sshState),
    environment: () => describeEnvironment(context),
    allRoutes: () => routes,
    draining: draining.signal,
    stopping: stopping.signal,
  };
  const routes = mountRoutes(features, serverContext);
  registerBackground(features, { dispatcher, queues }, serverContext);
  scheduleRetention(queues.default, context);
  scheduleBackups(queues.default, context);
  const http = createHttpServer({
    pageLane: context.pageLane,
    readLane: context.readLane,
    routes,
    identities: {
      ...identities,
      bySession: sessions.bySession,
      byToken: async (token, options) => {
        const found = looksLikeSignedToken(token) ? undefined : await identities.byToken(token, options);
        if (found !== undefined) return found;
        const actor = await (looksLikeSignedToken(token)
          ? actorByAccessToken({ ...context, signer }, token)
          : actorByJobToken(context, token, options.isBasic));
        return actor && { actor };
      },
    },
    subjects: createSubjects(context),
    idempotency: createIdempotency(context),
    drafts: {
      // The form has been processed, so an error here must not change the response.
      taken: (actor, path) => dropDraft(context, actor, path).catch((error: unknown) => log.warn({ err: error }, "a saved draft could not be deleted")),
    },
    metrics,
    errorPages: { refusal: renderRefusal },
    log,
    writeRequestLine,
    certificate,
    options: {
      urls,
      pageLimits: { default: config.limits.page_default, max: config.limits.page_max },
      bodyLimitBytes: config.limits.json_bytes,
      allowsAnonymous: !config.server.sign_in_required,
      trustedProxies: config.server.trusted_proxies,
      readProxyUser: proxyUserReaderOf(config),
    },
  });
  opened.defer(() => http.close());
  // Waiting requests are rejected instead of delaying the shutdown.
  opened.defer(() => stopping.abort());
  const ssh = createSshListener(context);
  opened.defer(() => ssh.close());
  const provisioned = await provisioning;
  await dispatcher.start();
  for (const queue of allQueues) await queue.start();
  await jobWorkers.start();
  const recovery = recover({ ...context, projector }, startedMs).catch((error: unknown) =>
    log.error({ err: error }, "could not clean up after an earlier process"),
  );
  opened.defer(() => recovery);
  opened.defer(() => projector.stop());
  const stack = opened.move();
  return {
    context,
    http,
    routes,
    warnings,
    provisioned,
    get sshState() {
      return sshState;
    },
    async listen() {
      // First, so that nothing is served over HTTP if the SSH port cannot be opened.
      await ssh.listen();
      sshState = ssh.state;
      try {
        await http.listen({ host: config.server.host, port: config.server.port });
      } catch (error) {
        throw listenError(error as NodeJS.ErrnoException, config);
      }
      port = http.port();
      return urls.origin;
    },
    async renewCertificate() {
      const renewed = await readCertificate(config);
      if (renewed !== undefined) http.renew(renewed);
    },
    async settled() {
      await recovery;
      await sessions.settled();
      await dispatcher.settled();
      await identities.settled();
      await projector.settled();
      await queues.default.runDue(soonMs);
      await queues.actions.runDue();
      // Calls of receivers that do not answer are retried later.
      await queues.webhooks.runDue();
      await queues.mirrors.runDue();
      await queues.migrations.runDue();
      await queues.upkeep.runDue(soonMs);
      await queues.default.runDue(soonMs);
    },
    drain: () => draining.abort(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Work that is awaited later. An error in the meantime is reported there. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

const logsInto = (log: Log): Logs => ({
  log,
  writeRequestLine: (line) => log.info(line, "request"),
  droppedLines: () => 0,
  close: async () => {},
});

/** The configuration has been validated. */
function hostRulesOf(texts: readonly string[]): HostRules {
  const rules = parseHostRules(texts);
  if (rules === undefined) throw new ConfigError("invalid host rules");
  return rules;
}

const throttleLimitsOf = ({ sign_in }: Config): ThrottleLimits => ({
  pair: sign_in.failures,
  network: sign_in.failures_per_network,
  login: sign_in.failures_per_name,
  forgetMs: sign_in.forget_seconds * 1_000,
});
