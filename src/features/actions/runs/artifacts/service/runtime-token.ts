import type { Sealer } from "../../../../../core/sealer.ts";
import type { TaskRow } from "../../model.ts";
import { createTaskToken, type TaskTokenDeps, taskOfToken } from "../../service/task-token.ts";

const purpose = "action runtime token";

/**
 * The token with which the official toolkit uses the services of a job. The toolkit reads the run and the job from its claims, so it is not
 * opaque.
 */
export const runtimeToken = (sealer: Sealer, task: Pick<TaskRow, "id" | "runId" | "jobId" | "createdMs" | "deadlineMs">): Promise<string> =>
  createTaskToken(sealer, purpose, task, { scp: `Actions.Results:${task.runId}:${task.jobId}`, TaskID: task.id, RunID: task.runId, JobID: task.jobId });

/** The running task of a bearer token. @throws ForgeError `unauthenticated`, also when the task has ended */
export const taskOfRuntimeToken = (deps: TaskTokenDeps, authorization: string): Promise<TaskRow> => taskOfToken(deps, purpose, authorization);
