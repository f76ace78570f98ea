import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../../../../core/clock.ts";
import { unauthenticated } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Reader } from "../../../../db/db.ts";
import type { TaskRow } from "../model.ts";
import { findTask } from "../store/tasks.ts";

/** Each purpose has its own key, so that a token for one service is invalid for the other. */
export type TaskTokenPurpose = "action runtime token" | "action identity request token";

const keyOf = (sealer: Sealer, purpose: TaskTokenPurpose): Uint8Array => Buffer.from(sealer.sign(purpose, "key"), "hex");
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A token of a job for a service, valid until the deadline of the job. The same claims always give the same token. */
export const createTaskToken = (
  sealer: Sealer,
  purpose: TaskTokenPurpose,
  task: Pick<TaskRow, "createdMs" | "deadlineMs">,
  claims: JWTPayload & { readonly TaskID: number },
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(seconds(task.createdMs))
    .setExpirationTime(seconds(task.deadlineMs))
    .sign(keyOf(sealer, purpose));

export interface TaskTokenDeps {
  readonly db: Reader;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** The running task of a bearer token. @throws ForgeError `unauthenticated`, also when the task has ended */
export async function taskOfToken(deps: TaskTokenDeps, purpose: TaskTokenPurpose, authorization: string): Promise<TaskRow> {
  const [, token = ""] = /^bearer ([\w.-]{1,2000})$/i.exec(authorization) ?? [];
  const claims = await jwtVerify(token, keyOf(deps.sealer, purpose), { algorithms: ["HS256"], currentDate: new Date(deps.clock.now()) }).then(
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
