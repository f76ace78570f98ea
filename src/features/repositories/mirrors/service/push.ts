import type { Tx } from "../../../../db/db.ts";
import { isTrial } from "../../../../db/trial.ts";
import { recordEvent } from "../../../../events/events.ts";
import { readInfo } from "../../../../git/objects/objects.ts";
import { streamPack } from "../../../../git/send/send-pack.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import type { RemoteRef } from "../../../../outgoing/git-fetch.ts";
import { openPush, type PushRemote, type RemoteUpdate } from "../../../../outgoing/git-push.ts";
import { branchPrefix, type RefView, tagPrefix } from "../../refs/model.ts";
import { allRefs } from "../../refs/service/read.ts";
import { findPushMirror, listDuePushMirrors, listPushMirrorIds, markDueThatFollow, markPushed, markPushFailed, type PushMirrorRow } from "../store/push.ts";
import type { MirrorDeps } from "./pull.ts";
import { openSealed, type ReportedFailure, remoteFailure, requireNoTrial, retryAfterMs, syncLimits } from "./remote.ts";

/** Pushes a repository to a remote. At most one job per mirror runs at a time. */
export const pushJob = defineJob<{ readonly mirrorId: number }>("mirrors.push", { maxAttempts: 3 });

export const enqueuePush = (tx: Tx, mirrorId: number): Promise<void> => enqueue(tx, pushJob, { mirrorId }, { dedupeKey: `${mirrorId}` });

const batch = 200;

/** Enqueues a job for every due mirror. Runs on a schedule of minutes. */
export async function enqueueDuePushes({ db, clock }: Pick<MirrorDeps, "db" | "clock">): Promise<void> {
  if (await isTrial(db)) return;
  for (let afterId = 0; ; ) {
    const ids = await listDuePushMirrors(db, clock.now(), afterId, batch);
    await db.tx(async (tx) => {
      for (const id of ids) await enqueuePush(tx, id);
    });
    if (ids.length < batch) return;
    afterId = ids.at(-1) ?? afterId;
  }
}

/** Makes the mirrors due that missed changes during a trial. */
export const resumePushes = (tx: Tx): Promise<void> => markDueThatFollow(tx);

/** @throws ForgeError `malformed` during a trial */
export async function requestAllPushes({ db }: Pick<MirrorDeps, "db">, repoId: number): Promise<void> {
  await requireNoTrial(db);
  await requestPushes({ db }, repoId, "all");
}

/** Schedules pushes to a repository's mirrors: to all, or to those that follow every change. */
export async function requestPushes({ db }: Pick<MirrorDeps, "db">, repoId: number, which: "all" | "on-commit"): Promise<void> {
  const ids = await listPushMirrorIds(db, repoId, which);
  if (ids.length === 0) return;
  await db.tx(async (tx) => {
    for (const id of ids) await enqueuePush(tx, id);
  });
}

/** Failures of the remote are stored with the mirror and retried later; the job queue repeats on any other error. */
export async function push(deps: MirrorDeps, { payload, tx, signal }: JobRun<{ readonly mirrorId: number }>): Promise<void> {
  const mirror = await findPushMirror(deps.db, payload.mirrorId);
  if (mirror === undefined || (await isTrial(deps.db))) return;
  try {
    const refs = (await allRefs(deps.db, mirror.codeStoreId)).filter(isMirrored);
    // An empty repository does not empty its remote.
    if (refs.length > 0) await pushAll(deps, mirror, refs, signal);
    await tx((handle) => markPushed(handle, mirror.id));
  } catch (error) {
    const failure = remoteFailure(error);
    if (failure === undefined || signal.aborted) throw error;
    deps.log.info({ repoId: mirror.repoId, reason: failure.message }, "a push mirror could not be synchronized");
    await tx((handle) => noteFailure(handle, mirror, failure));
  }
}

const isMirrored = ({ name }: Pick<RefView, "name">): boolean => name.startsWith(branchPrefix) || name.startsWith(tagPrefix);

async function pushAll(deps: MirrorDeps, mirror: PushMirrorRow, refs: readonly RefView[], signal: AbortSignal): Promise<void> {
  const store = deps.git.store(mirror.codeStoreId, mirror.objectFormat);
  await using remote = await openPush(deps.remotes, openSealed(deps, mirror), mirror.objectFormat, { ...syncLimits, signal });
  const updates = updatesTo(refs, remote.refs.filter(isMirrored));
  if (updates.length === 0) return;
  const refusals = await remote.push(updates, await packFor(store, remote, updates, signal));
  const rejected = refusals.slice(0, 10).map(({ name, reason }) => `${name}: ${reason}`);
  if (refusals.length > 0)
    throw new RemoteError(`the remote rejected ${refusals.length} of ${updates.length} refs: ${rejected.join("; ")}`, { reason: "refused" });
}

/** The updates that make the remote's refs equal to the repository's, including deletions. */
function updatesTo(refs: readonly RefView[], remote: readonly RemoteRef[]): RemoteUpdate[] {
  const before = new Map(remote.map(({ name, oid }) => [name, oid]));
  const after = new Set(refs.map(({ name }) => name));
  const changed = refs.filter(({ name, oid }) => before.get(name) !== oid).map(({ name, oid }) => ({ name, oldOid: before.get(name) ?? null, newOid: oid }));
  const gone = remote.filter(({ name }) => !after.has(name)).map(({ name, oid }) => ({ name, oldOid: oid, newOid: null }));
  return [...changed, ...gone];
}

async function packFor(
  store: GitStore,
  remote: PushRemote,
  updates: readonly RemoteUpdate[],
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const wantOids = updates.map(({ newOid }) => newOid).filter((oid) => oid !== null);
  return wantOids.length === 0 ? undefined : streamPack(store, { wantOids, haveOids: await commonOids(store, remote), signal });
}

/** Objects that both the remote's refs and this store have. */
async function commonOids(store: GitStore, { refs }: PushRemote): Promise<Oid[]> {
  const oids = [...new Set(refs.map(({ oid }) => oid))];
  const infos = await Promise.all(oids.map((oid) => readInfo(store, oid)));
  return oids.filter((_, index) => infos[index] !== undefined);
}

async function noteFailure(tx: Tx, { id, repoId, address, failures }: PushMirrorRow, { message, failure }: ReportedFailure): Promise<void> {
  await markPushFailed(tx, id, { message, failure, retryMs: retryAfterMs(failures) });
  if (failures === 0) await recordEvent(tx, "mirror.failed", { repoId, address, direction: "push", reason: message }, { repoId, actorId: null });
}
