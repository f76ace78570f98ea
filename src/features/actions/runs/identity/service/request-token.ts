import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "../../../../../core/clock.ts";
import { unauthenticated } from "../../../../../core/errors.ts";
import type { Sealer } from "../../../../../core/sealer.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { RunRow, TaskRow } from "../../model.ts";
import { findTask } from "../../store/tasks.ts";

const keyOf = (sealer: Sealer): Uint8Array => Buffer.from(sealer.sign("action identity request token", "key"), "hex");
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Whether a job may request identity tokens. It has to declare this, and code of a fork never may. */
export const mayIdentify = (permissions: Readonly<Record<string, string>> | null, { isFromFork }: Pick<RunRow, "isFromFork">): boolean =>
  !isFromFork && (permissions?.["id-token"] ?? permissions?.all) === "write";

/** The token with which a job requests identity tokens. Only jobs that may have one receive it. */
export const identityRequestToken = (sealer: Sealer, task: Pick<TaskRow, "id" | "createdMs" | "deadlineMs">): Promise<string> =>
  new SignJWT({ TaskID: task.id })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(seconds(task.createdMs))
    .setExpirationTime(seconds(task.deadlineMs))
    .sign(keyOf(sealer));

/** The running task of a request. @throws ForgeError `unauthenticated`, also when the task has ended */
export async function taskOfRequestToken(
  deps: { readonly db: Reader; readonly sealer: Sealer; readonly clock: Clock },
  authorization: string,
): Promise<TaskRow> {
  const [, token = ""] = /^bearer ([\w.-]{1,2000})$/i.exec(authorization) ?? [];
  const claims = await jwtVerify(token, keyOf(deps.sealer), { algorithms: ["HS256"], currentDate: new Date(deps.clock.now()) }).then(
    ({ payload }) => payload,
    () => undefined,
  );
  const task = typeof claims?.TaskID === "number" ? await findTask(deps.db, claims.TaskID) : undefined;
  if (task?.status !== "running") throw unauthenticated("the token is not that of a running job");
  return task;
}
