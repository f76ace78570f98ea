import type { Dispatcher } from "../../../events/dispatcher.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { enqueueDuePulls, type MirrorDeps, pull, pullJob } from "./service/pull.ts";
import { enqueueDuePushes, push, pushJob, requestPushes } from "./service/push.ts";

const lookEveryMs = 10 * 60_000;

/** What is done later about mirrors. @param mirroring waits for remotes, so that nothing else has to */
export function handleMirrorJobs(jobs: JobQueue, mirroring: JobQueue, deps: MirrorDeps): void {
  mirroring.handle(pullJob, (run) => pull(deps, run));
  mirroring.handle(pushJob, (run) => push(deps, run));
  jobs.schedule({ name: "update_mirrors", everyMs: lookEveryMs }, async () => {
    await enqueueDuePulls(deps);
    await enqueueDuePushes(deps);
  });
}

/** Pushes on where a repository's refs have moved and somebody wants to have that at once. */
export function listenForMirroredMoves(dispatcher: Dispatcher, deps: Pick<MirrorDeps, "db">): void {
  dispatcher.on("push mirrors", ["refs.changed"], async ({ payload }) => {
    if (payload.isMirrored === true) await requestPushes(deps, payload.repoId, "on-commit");
  });
}
