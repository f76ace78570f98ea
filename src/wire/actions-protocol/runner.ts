import { bool, bytes, definePackage, enumeration, int64, json, list, type MessageOf, map, message, text, timestamp } from "./define.ts";

// The package `runner.v1`: the messages between runners and the server.

export const Result = { UNSPECIFIED: 0, SUCCESS: 1, FAILURE: 2, CANCELLED: 3, SKIPPED: 4 } as const;
export type Result = (typeof Result)[keyof typeof Result];

export const RunnerStatus = { UNSPECIFIED: 0, IDLE: 1, ACTIVE: 2, OFFLINE: 3 } as const;
export type RunnerStatus = (typeof RunnerStatus)[keyof typeof RunnerStatus];

const result = (number: number) => enumeration<Result>(number, "Result");

const LogRow = { time: timestamp(1), content: text(2) };
const StepState = { id: int64(1), result: result(2), startedAt: timestamp(3), stoppedAt: timestamp(4), logIndex: int64(5), logLength: int64(6) };
const TaskState = { id: int64(1), result: result(2), startedAt: timestamp(3), stoppedAt: timestamp(4), steps: list(message(5, "StepState", StepState)) };
const TaskNeed = { outputs: map(1, text(2)), result: result(2) };
const Task = {
  id: int64(1),
  workflowPayload: bytes(2),
  context: json(3),
  secrets: map(4, text(2)),
  needs: map(6, message(2, "TaskNeed", TaskNeed)),
  vars: map(7, text(2)),
};
/** `agentLabels` and `customLabels` are those of runners before version 0.2.6. */
const labelsOfOldRunners = (first: number) => ({ agentLabels: list(text(first)), customLabels: list(text(first + 1)) });
const Runner = {
  id: int64(1),
  uuid: text(2),
  token: text(3),
  name: text(4),
  status: enumeration<RunnerStatus>(5, "RunnerStatus"),
  ...labelsOfOldRunners(6),
  version: text(8),
  labels: list(text(9)),
  ephemeral: bool(10),
};

export type Task = MessageOf<typeof Task>;
export type StepState = MessageOf<typeof StepState>;

export const {
  RegisterRequest: RegisterRequestSchema,
  RegisterResponse: RegisterResponseSchema,
  DeclareRequest: DeclareRequestSchema,
  DeclareResponse: DeclareResponseSchema,
  FetchTaskRequest: FetchTaskRequestSchema,
  FetchTaskResponse: FetchTaskResponseSchema,
  UpdateTaskRequest: UpdateTaskRequestSchema,
  UpdateTaskResponse: UpdateTaskResponseSchema,
  UpdateLogRequest: UpdateLogRequestSchema,
  UpdateLogResponse: UpdateLogResponseSchema,
  Runner: RunnerSchema,
  Task: TaskSchema,
  TaskNeed: TaskNeedSchema,
  TaskState: TaskStateSchema,
} = definePackage(
  "runner.v1",
  {
    RegisterRequest: { name: text(1), token: text(2), ...labelsOfOldRunners(3), version: text(5), labels: list(text(6)), ephemeral: bool(7) },
    RegisterResponse: { runner: message(1, "Runner", Runner) },
    DeclareRequest: { version: text(1), labels: list(text(2)) },
    DeclareResponse: { runner: message(1, "Runner", Runner) },
    FetchTaskRequest: { tasksVersion: int64(1) },
    FetchTaskResponse: { task: message(1, "Task", Task), tasksVersion: int64(2) },
    UpdateTaskRequest: { state: message(1, "TaskState", TaskState), outputs: map(2, text(2)) },
    UpdateTaskResponse: { state: message(1, "TaskState", TaskState), sentOutputs: list(text(2)) },
    UpdateLogRequest: { taskId: int64(1), index: int64(2), rows: list(message(3, "LogRow", LogRow)), noMore: bool(4) },
    UpdateLogResponse: { ackIndex: int64(1) },
    Runner,
    Task,
    TaskNeed,
    TaskState,
    StepState,
    LogRow,
  },
  { Result: { prefix: "RESULT", values: Result }, RunnerStatus: { prefix: "RUNNER_STATUS", values: RunnerStatus } },
);
