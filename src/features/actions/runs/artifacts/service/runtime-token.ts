import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "../../../../../core/clock.ts";
import { unauthenticated } from "../../../../../core/errors.ts";
import type { Sealer } from "../../../../../core/sealer.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { TaskRow } from "../../model.ts";
import { findTask } from "../../store/tasks.ts";

const keyOf = (sealer: Sealer): Uint8Array => Buffer.from(sealer.sign("action runtime token", "key"), "hex");
const seconds = (ms: number): number => Math.floor(ms / 1000);

/**
 * The token with which the official toolkit uses the services of a job. The toolkit reads the run and the job from its claims, so it is not
 * opaque. The same task always has the same token.
 */
export const runtimeToken = (sealer: Sealer, task: Pick<TaskRow, "id" | "runId" | "jobId" | "createdMs" | "deadlineMs">): Promise<string> =>
  new SignJWT({ scp: `Actions.Results:${task.runId}:${task.jobId}`, TaskID: task.id, RunID: task.runId, JobID: task.jobId })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(seconds(task.createdMs))
    .setExpirationTime(seconds(task.deadlineMs))
    .sign(keyOf(sealer));

/** The running task of a bearer token. @throws ForgeError `unauthenticated`, also when the task has ended */
export async function taskOfRuntimeToken(
  deps: { readonly db: Reader; readonly sealer: Sealer; readonly clock: Clock },
  authorization: string,
): Promise<TaskRow> {
  const [, token = ""] = /^bearer ([\w.-]{1,2000})$/i.exec(authorization) ?? [];
  const claims = await jwtVerify(token, keyOf(deps.sealer), { algorithms: ["HS256"], currentDate: new Date(deps.clock.now()) }).then(
    ({ payload }) => payload,
    () => undefined,
  );
  return requireRunning(deps.db, typeof claims?.TaskID === "number" ? claims.TaskID : 0);
}

/** @throws ForgeError `unauthenticated` when the task has ended */
export async function requireRunning(db: Reader, taskId: number): Promise<TaskRow> {
  const task = await findTask(db, taskId);
  if (task?.status !== "running") throw unauthenticated("the token is not that of a running job");
  return task;
}
