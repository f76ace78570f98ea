import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { malformed } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isTrial } from "../../../../db/trial.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { GitAddress } from "../../../../outgoing/git-address.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import { type FetchRemote, openFetch } from "../../../../outgoing/git-fetch.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import { allRefs, findRef } from "../../refs/service/read.ts";
import { moveRepositoryRefs, setDefaultBranch } from "../../repos/service/move-refs.ts";
import { ensureWikiStore, moveWikiRefs } from "../../wiki/service/refs.ts";
import type { SyncProblem } from "../model.ts";
import { findPullMirror, findPullProblem, insertPullMirror, listDuePullMirrors, markPulled, markPullFailed, type PullMirrorRow } from "../store/pull.ts";
import { type FetchDeps, type Fetched, fetchAll } from "./fetch.ts";
import { openSealed, type RemoteDeps, type ReportedFailure, remoteFailure, requireNoTrial, retryAfterMs, sealRemote, syncLimits } from "./remote.ts";

export interface MirrorDeps extends RemoteDeps, FetchDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly config: Pick<Config, "git" | "limits" | "mirror" | "repositories">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Synchronizes a pull mirror with its source. At most one job per repository runs at a time. */
export const pullJob = defineJob<{ readonly repoId: number }>("mirrors.pull", { maxAttempts: 3 });

export interface NewMirror {
  readonly repoId: number;
  readonly address: GitAddress;
  readonly wikiAddress: string | null;
  readonly intervalMs: number;
}

/** Stores a pull mirror, in the transaction that creates its repository. */
export const addPullMirror = (tx: Tx, deps: Pick<RemoteDeps, "sealer">, { address, ...mirror }: NewMirror): Promise<void> =>
  insertPullMirror(tx, { ...mirror, ...sealRemote(deps, address) });

/** Schedules a synchronization. Operation `repoMirrorSync`. @throws ForgeError `malformed` if the repository is not a mirror, and during a trial */
export async function requestPull(deps: { readonly db: Db }, repository: Pick<RepositorySubject, "id" | "isMirror">): Promise<void> {
  if (!repository.isMirror) throw malformed("Repository is not a mirror", { reason: "changed_meanwhile" });
  await requireNoTrial(deps.db);
  await deps.db.tx((tx) => enqueuePull(tx, repository.id));
}

const enqueuePull = (tx: Tx, repoId: number): Promise<void> => enqueue(tx, pullJob, { repoId }, { dedupeKey: `${repoId}` });

const batch = 200;

/** Enqueues a job for every due mirror. Runs on a schedule of minutes. */
export async function enqueueDuePulls({ db, clock }: Pick<MirrorDeps, "db" | "clock">): Promise<void> {
  if (await isTrial(db)) return;
  for (let afterId = 0; ; ) {
    const ids = await listDuePullMirrors(db, clock.now(), afterId, batch);
    await db.tx(async (tx) => {
      for (const repoId of ids) await enqueuePull(tx, repoId);
    });
    if (ids.length < batch) return;
    afterId = ids.at(-1) ?? afterId;
  }
}

/** Failures of the remote are stored with the mirror and retried later; the job queue repeats on any other error. */
export async function pull(deps: MirrorDeps, { payload, tx, signal }: JobRun<{ readonly repoId: number }>): Promise<void> {
  const mirror = await findPullMirror(deps.db, payload.repoId);
  if (mirror === undefined || (await isTrial(deps.db))) return;
  try {
    const address = openSealed(deps, mirror);
    await using remote = await openFetch(deps.remotes, address, { ...syncLimits, signal });
    const fetched = await fetchMirror(deps, mirror, remote, signal);
    if (mirror.wikiAddress !== null) await pullWiki(deps, mirror, { ...address, url: new URL(mirror.wikiAddress) }, { tx, signal });
    await tx((handle) => movePulled(handle, mirror, fetched, remote.advertised.headRef));
  } catch (error) {
    const failure = remoteFailure(error);
    if (failure === undefined || signal.aborted) throw error;
    deps.log.info({ repoId: mirror.repoId, reason: failure.message }, "a mirror could not be synchronized");
    await tx((handle) => noteFailure(handle, mirror, failure));
  }
}

async function fetchMirror(deps: MirrorDeps, mirror: PullMirrorRow, remote: FetchRemote, signal: AbortSignal): Promise<Fetched> {
  const { format } = remote.advertised;
  if (format !== mirror.objectFormat) throw new RemoteError(`the remote now has ${format} object ids, not ${mirror.objectFormat}`, { reason: "refused" });
  const fetched = await fetchAll(deps, deps.git.store(mirror.codeStoreId, mirror.objectFormat), remote, { ownerId: mirror.ownerId, signal });
  // A server that lost its disk or was replaced has no refs. This must not empty the mirror.
  const isGone = fetched.refs.length === 0 && (await allRefs(deps.db, mirror.codeStoreId)).length > 0;
  if (isGone) throw new RemoteError("the remote has no branches and tags any more; the mirror keeps its contents", { reason: "refused" });
  return fetched;
}

async function movePulled(
  tx: Tx,
  { repoId, codeStoreId, defaultBranch }: PullMirrorRow,
  { updates, receipt }: Fetched,
  headRef: string | undefined,
): Promise<void> {
  if (updates.length > 0) await moveRepositoryRefs(tx, { repoId, mover: { kind: "server" }, via: "server", mode: "each", updates, receipt });
  const hasLostDefault = updates.some(({ name, newOid }) => name === branchPrefix + defaultBranch && newOid === null);
  if (hasLostDefault && headRef !== undefined && (await findRef(tx, codeStoreId, headRef)) !== undefined)
    await setDefaultBranch(tx, repoId, shortName(headRef));
  await markPulled(tx, repoId);
}

/** A missing wiki is ignored. */
async function pullWiki(deps: MirrorDeps, mirror: PullMirrorRow, address: GitAddress, { tx, signal }: Pick<JobRun<unknown>, "tx" | "signal">): Promise<void> {
  const remote = await openWiki(deps, address, signal);
  if (remote === undefined) return;
  await using _ = remote;
  if (remote.advertised.refs.length === 0 || remote.advertised.format !== mirror.objectFormat) return;
  const owner = { id: mirror.repoId, wikiStoreId: mirror.wikiStoreId, objectFormat: mirror.objectFormat };
  const storeId = await ensureWikiStore(deps, owner, shortName(remote.advertised.headRef ?? "refs/heads/main"));
  const { updates, receipt } = await fetchAll(deps, deps.git.store(storeId, mirror.objectFormat), remote, { ownerId: mirror.ownerId, signal });
  if (updates.length > 0) await tx((handle) => moveWikiRefs(handle, { repoId: mirror.repoId, storeId, mode: "each", updates, receipt }));
}

/** Undefined if there is no wiki, for which servers return an error. */
export async function openWiki({ remotes }: RemoteDeps, address: GitAddress, signal: AbortSignal): Promise<FetchRemote | undefined> {
  try {
    return await openFetch(remotes, address, { signal });
  } catch (error) {
    if (error instanceof RemoteError) return undefined;
    throw error;
  }
}

/** The failure of the last synchronization; undefined if it succeeded. */
export const getPullProblem = ({ db }: { readonly db: Reader }, { id }: { readonly id: number }): Promise<SyncProblem | undefined> => findPullProblem(db, id);

async function noteFailure(tx: Tx, { repoId, address, failures }: PullMirrorRow, { message, failure }: ReportedFailure): Promise<void> {
  await markPullFailed(tx, repoId, { message, failure, retryMs: retryAfterMs(failures) });
  if (failures === 0) await recordEvent(tx, "mirror.failed", { repoId, address, direction: "pull", reason: message }, { repoId, actorId: null });
}
