import type { Sealer } from "../../../../../core/sealer.ts";
import type { RunRow, TaskRow } from "../../model.ts";
import { createTaskToken, type TaskTokenDeps, taskOfToken } from "../../service/task-token.ts";

const purpose = "action identity request token";

/** Whether a job may request identity tokens. It has to declare this, and code of a fork never may. */
export const mayIdentify = (permissions: Readonly<Record<string, string>> | null, { isFromFork }: Pick<RunRow, "isFromFork">): boolean =>
  !isFromFork && (permissions?.["id-token"] ?? permissions?.all) === "write";

/** The token with which a job requests identity tokens. Only jobs that may have one receive it. */
export const identityRequestToken = (sealer: Sealer, task: Pick<TaskRow, "id" | "createdMs" | "deadlineMs">): Promise<string> =>
  createTaskToken(sealer, purpose, task, { TaskID: task.id });

/** The running task of a request. @throws ForgeError `unauthenticated`, also when the task has ended */
export const taskOfRequestToken = (deps: TaskTokenDeps, authorization: string): Promise<TaskRow> => taskOfToken(deps, purpose, authorization);
