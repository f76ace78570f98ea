import { create, type MessageShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { RawReply } from "../../../../http/answers.ts";
import { PingRequestSchema, PingResponseSchema } from "../../../../wire/actions-protocol/ping.ts";
import {
  DeclareRequestSchema,
  DeclareResponseSchema,
  FetchTaskRequestSchema,
  FetchTaskResponseSchema,
  RegisterRequestSchema,
  RegisterResponseSchema,
  RunnerSchema,
  type StepState,
  TaskNeedSchema,
  TaskSchema,
  TaskStateSchema,
  UpdateLogRequestSchema,
  UpdateLogResponseSchema,
  UpdateTaskRequestSchema,
  UpdateTaskResponseSchema,
  Result as WireResult,
} from "../../../../wire/actions-protocol/runner.ts";
import type { RunnerView } from "../../runners/model.ts";
import { authenticateRunner, declareRunner, type RunnerDeps, registerRunner } from "../../runners/service/runners.ts";
import type { Result, Step } from "../model.ts";
import type { RunsDeps } from "../service/deps.ts";
import { appendLog, lineOf, ticksPerMs } from "../service/logs.ts";
import type { Masks } from "../service/masks.ts";
import { findLostTask, loadTask, reportTask, type TaskForRunner } from "../service/tasks.ts";
import type { WaitingRunners } from "../service/waiting-runners.ts";
import { answerCall } from "./connect.ts";
import { headerOf, type RunnerRequest } from "./runner-request.ts";

// Loaded with the first call of a runner: building the schemas of the messages takes 20 ms.

export interface ProtocolDeps extends RunsDeps, RunnerDeps {
  readonly waitingRunners: WaitingRunners;
  readonly logMasks: Masks;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** The answer to a held request leaves this long before the caller's deadline. */
const marginMs = 750;
const maxHoldMs = 55_000;

/** The version of the tasks counts from 1. This server always looks for tasks, so that it needs no other one. */
const firstVersion = 1n;

/** Newer runners send the summaries of jobs only if the server declares that it stores them. */
const capabilities = { "x-gitea-actions-capabilities": "job-summary" };

const callerOf =
  (deps: ProtocolDeps, { headers }: RunnerRequest) =>
  (): Promise<RunnerView> =>
    authenticateRunner(deps, headerOf(headers, "x-runner-uuid"), headerOf(headers, "x-runner-token"));

export const ping = (request: RunnerRequest): Promise<RawReply> =>
  answerCall(request, { input: PingRequestSchema, output: PingResponseSchema }, async ({ data }) => create(PingResponseSchema, { data: `Hello, ${data}!` }));

export const register = (deps: ProtocolDeps, request: RunnerRequest): Promise<RawReply> =>
  answerCall(request, { input: RegisterRequestSchema, output: RegisterResponseSchema }, async (given) => {
    const labels = given.labels.length > 0 ? given.labels : [...given.agentLabels, ...given.customLabels];
    const { runner, token } = await registerRunner(deps, {
      token: given.token,
      name: given.name,
      version: given.version,
      labels,
      isEphemeral: given.ephemeral,
    });
    return create(RegisterResponseSchema, { runner: present({ ...runner, labels }, token) });
  });

export const declare = (deps: ProtocolDeps, request: RunnerRequest): Promise<RawReply> =>
  answerCall(
    request,
    { input: DeclareRequestSchema, output: DeclareResponseSchema },
    async ({ version, labels }, runner: RunnerView) =>
      create(DeclareResponseSchema, { runner: present(await declareRunner(deps, runner, { version, labels })) }),
    callerOf(deps, request),
    capabilities,
  );

export const fetchTask = (deps: ProtocolDeps, request: RunnerRequest): Promise<RawReply> =>
  answerCall(
    request,
    { input: FetchTaskRequestSchema, output: FetchTaskResponseSchema },
    async ({ tasksVersion }, runner: RunnerView) => {
      const taskId = runner.isDisabled ? await idle(deps, request) : await nextTask(deps, runner, request);
      const task = taskId === undefined ? undefined : presentTask(await loadTask(deps, taskId));
      return create(FetchTaskResponseSchema, { tasksVersion: tasksVersion || firstVersion, ...(task && { task }) });
    },
    callerOf(deps, request),
  );

export const updateTask = (deps: ProtocolDeps, request: RunnerRequest): Promise<RawReply> =>
  answerCall(
    request,
    { input: UpdateTaskRequestSchema, output: UpdateTaskResponseSchema },
    async ({ state, outputs }, runner: RunnerView) => {
      const answer = await reportTask(deps, runner, {
        taskId: Number(state?.id ?? 0n),
        result: resultOf(state?.result),
        startedMs: msOf(state?.startedAt),
        stoppedMs: msOf(state?.stoppedAt),
        steps: (state?.steps ?? []).map(toStep),
        outputs,
      });
      return create(UpdateTaskResponseSchema, {
        state: create(TaskStateSchema, { id: state?.id ?? 0n, result: answer.result === null ? WireResult.UNSPECIFIED : wireResults[answer.result] }),
        sentOutputs: [...answer.knownOutputs],
      });
    },
    callerOf(deps, request),
  );

export const updateLog = (deps: ProtocolDeps, request: RunnerRequest): Promise<RawReply> =>
  answerCall(
    request,
    { input: UpdateLogRequestSchema, output: UpdateLogResponseSchema },
    async ({ taskId, index, rows, noMore }, runner: RunnerView) => {
      const lines = rows.map(({ time, content }) => lineOf(msOf(time) ?? 0, content, ticksOf(time)));
      const known = await appendLog({ ...deps, masks: deps.logMasks }, runner, { taskId: Number(taskId), index: Number(index), lines, isLast: noMore });
      return create(UpdateLogResponseSchema, { ackIndex: BigInt(known) });
    },
    callerOf(deps, request),
  );

/** Milliseconds for which a request may be held. */
const holdOf = ({ headers }: RunnerRequest): number => {
  const timeout = Number(headerOf(headers, "connect-timeout-ms"));
  return Number.isFinite(timeout) && timeout > 0 ? Math.min(maxHoldMs, Math.max(0, timeout - marginMs)) : 0;
};

async function nextTask(deps: ProtocolDeps, runner: RunnerView, request: RunnerRequest): Promise<number | undefined> {
  const lost = await findLostTask(deps, runner);
  return lost ?? deps.waitingRunners.wait(runner, holdOf(request), AbortSignal.any([request.signal, deps.stopping]));
}

/** A disabled runner waits, so that it does not ask again at once. */
const idle = (deps: ProtocolDeps, request: RunnerRequest): Promise<undefined> =>
  new Promise((resolve) => {
    const signal = AbortSignal.any([request.signal, deps.stopping]);
    const timer = setTimeout(() => resolve(undefined), holdOf(request));
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });

const present = (runner: RunnerView, token = "") =>
  create(RunnerSchema, {
    id: BigInt(runner.id),
    uuid: runner.uuid,
    token,
    name: runner.name,
    version: runner.version,
    labels: [...runner.labels],
    ephemeral: runner.isEphemeral,
  });

const presentTask = ({ id, payload, context, secrets, vars, needs }: TaskForRunner): MessageShape<typeof TaskSchema> =>
  create(TaskSchema, {
    id: BigInt(id),
    workflowPayload: Buffer.from(payload),
    context: context as Parameters<typeof create<typeof TaskSchema>>[1] extends { context?: infer C } ? C : never,
    secrets,
    vars,
    needs: Object.fromEntries(needs.map(({ key, outputs, result }) => [key, create(TaskNeedSchema, { outputs, result: wireResults[result] })])),
  });

const wireResults: Readonly<Record<Result, WireResult>> = {
  success: WireResult.SUCCESS,
  failure: WireResult.FAILURE,
  cancelled: WireResult.CANCELLED,
  skipped: WireResult.SKIPPED,
};
const results = new Map(Object.entries(wireResults).map(([name, value]) => [value, name as Result]));

const resultOf = (given: WireResult | undefined): Result | null => (given === undefined ? null : (results.get(given) ?? null));
const ticksOf = (time: Timestamp | undefined): number => (msOf(time) === null ? 0 : Math.floor((time?.nanos ?? 0) / 100) % ticksPerMs);
const msOf = (time: Timestamp | undefined): number | null => (time === undefined ? null : timestampDate(time).getTime() || null);

const toStep = (step: StepState): Step => ({
  id: Number(step.id),
  result: resultOf(step.result),
  startedMs: msOf(step.startedAt),
  stoppedMs: msOf(step.stoppedAt),
  logIndex: Number(step.logIndex),
  logLength: Number(step.logLength),
});
