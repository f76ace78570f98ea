import type { JobRun } from "../../../../jobs/queue.ts";
import { startForPull } from "../service/pulls.ts";
import type { PullTrigger } from "../service/trigger-job.ts";
import { pullPayload } from "./payloads.ts";
import type { ListenerDeps } from "./pushes.ts";

/** Starts the workflows that an event of a pull request triggers. */
export const startForPullEvent = (deps: ListenerDeps, { payload }: JobRun<PullTrigger>): Promise<void> =>
  startForPull({ ...deps, payloadOf: (pull, activity) => pullPayload(deps, payload.repoId, payload.actorId, pull, activity) }, payload);
