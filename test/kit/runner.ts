import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { create, type DescMessage, fromBinary, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { parse } from "yaml";
import {
  DeclareRequestSchema,
  DeclareResponseSchema,
  FetchTaskRequestSchema,
  FetchTaskResponseSchema,
  RegisterRequestSchema,
  RegisterResponseSchema,
  Result,
  type Task,
  UpdateLogRequestSchema,
  UpdateLogResponseSchema,
  UpdateTaskRequestSchema,
  UpdateTaskResponseSchema,
} from "../../src/wire/actions-protocol/runner.ts";
import { toolkitPath } from "./toolkit.ts";

/** An answer of the server that is not a message. */
export class RunnerCallError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, body: string) {
    super(`${status} ${body}`);
    this.status = status;
    this.code = (body.startsWith("{") ? (JSON.parse(body) as { readonly code?: string }).code : undefined) ?? "";
  }
}

/** A step that has ended, with the lines that it wrote. */
export interface StepReport {
  readonly id: number;
  readonly result: Result;
  readonly logIndex: number;
  readonly logLength: number;
}

/** A line of a log, and the time since 1970. */
export interface LogRow {
  readonly seconds: bigint;
  readonly nanos: number;
  readonly content: string;
}

/** A runner on the protocol of the stock runner. It executes `run` steps on this machine. */
export interface TestRunner {
  readonly id: number;
  readonly uuid: string;
  readonly token: string;
  /** Waits for a task. @param timeoutMs the deadline that it states */
  fetch(timeoutMs?: number): Promise<Task | undefined>;
  log(taskId: bigint, index: number, lines: readonly string[], isLast?: boolean): Promise<number>;
  /** Like {@link log}, with times of nanoseconds. */
  logRows(taskId: bigint, index: number, rows: readonly LogRow[]): Promise<number>;
  report(taskId: bigint, result?: Result, outputs?: Readonly<Record<string, string>>, steps?: readonly StepReport[]): Promise<Result>;
  declare(labels: readonly string[]): Promise<readonly string[]>;
  execute(task: Task): Promise<Result>;
  /** Fetches and executes one task. @throws Error if none comes */
  runOne(): Promise<Task>;
}

const service = "/api/actions/runner.v1.RunnerService";

async function call<In extends DescMessage, Out extends DescMessage>(
  url: string,
  method: string,
  [input, output]: readonly [In, Out],
  message: MessageInitShape<In>,
  headers: Readonly<Record<string, string>> = {},
): Promise<MessageShape<Out>> {
  const response = await fetch(`${url}${service}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/proto", "connect-protocol-version": "1", ...headers },
    body: toBinary(input, create(input, message)),
  });
  if (response.status !== 200) throw new RunnerCallError(response.status, await response.text());
  return fromBinary(output, new Uint8Array(await response.arrayBuffer()));
}

export async function registerRunner(
  url: string,
  token: string,
  options: { readonly name?: string; readonly labels?: readonly string[]; readonly ephemeral?: boolean } = {},
): Promise<TestRunner> {
  const { name = "runner", labels = ["linux:host"], ephemeral = false } = options;
  const { runner } = await call(url, "Register", [RegisterRequestSchema, RegisterResponseSchema], {
    name,
    token,
    labels: [...labels],
    ephemeral,
    version: "test",
  });
  if (runner === undefined) throw new Error("the server returned no runner");
  return connectRunner(url, { id: Number(runner.id), uuid: runner.uuid, token: runner.token });
}

/** A runner that is registered already. */
export function connectRunner(url: string, { id, uuid, token }: Pick<TestRunner, "id" | "uuid" | "token">): TestRunner {
  const own = { "x-runner-uuid": uuid, "x-runner-token": token };
  const self: TestRunner = {
    id,
    uuid,
    token,
    async fetch(timeoutMs = 5_000) {
      const headers = { ...own, "connect-timeout-ms": String(timeoutMs) };
      return (await call(url, "FetchTask", [FetchTaskRequestSchema, FetchTaskResponseSchema], { tasksVersion: 0n }, headers)).task;
    },
    async log(taskId, index, lines, isLast = false) {
      const rows = lines.map((content) => ({ content, time: timestampFromMs(Date.now()) }));
      const message = { taskId, index: BigInt(index), rows, noMore: isLast };
      return Number((await call(url, "UpdateLog", [UpdateLogRequestSchema, UpdateLogResponseSchema], message, own)).ackIndex);
    },
    async logRows(taskId, index, given) {
      const rows = given.map(({ content, ...time }) => ({ content, time }));
      const message = { taskId, index: BigInt(index), rows };
      return Number((await call(url, "UpdateLog", [UpdateLogRequestSchema, UpdateLogResponseSchema], message, own)).ackIndex);
    },
    async report(taskId, result = Result.UNSPECIFIED, outputs = {}, ended = []) {
      const now = timestampFromMs(Date.now());
      const steps = ended.map(({ id, logIndex, logLength, ...step }) => ({
        ...step,
        id: BigInt(id),
        logIndex: BigInt(logIndex),
        logLength: BigInt(logLength),
        startedAt: now,
        stoppedAt: now,
      }));
      const state = { id: taskId, result, startedAt: now, steps, ...(result !== Result.UNSPECIFIED && { stoppedAt: now }) };
      const answer = await call(url, "UpdateTask", [UpdateTaskRequestSchema, UpdateTaskResponseSchema], { state, outputs }, own);
      return answer.state?.result ?? Result.UNSPECIFIED;
    },
    async declare(given) {
      const answer = await call(url, "Declare", [DeclareRequestSchema, DeclareResponseSchema], { version: "test", labels: [...given] }, own);
      return answer.runner?.labels ?? [];
    },
    execute: (task) => execute(self, task, url),
    async runOne() {
      const task = await self.fetch();
      if (task === undefined) throw new Error("there is no task");
      await self.execute(task);
      return task;
    },
  };
  return self;
}

const resultNames: readonly string[] = ["", "success", "failure", "cancelled", "skipped"];

interface StepFields {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface JobFields {
  readonly steps: readonly StepFields[];
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly unknown[]>> };
}

/** The environment of the services of a job, as the stock runner sets it. */
function servicesOf(task: Task, url: string): Readonly<Record<string, string>> {
  const context = (task.context ?? {}) as Readonly<Record<string, unknown>>;
  const { gitea_runtime_token: token = "", actions_id_token_request_url: requestUrl, actions_id_token_request_token: requestToken } = context;
  return {
    ACTIONS_RUNTIME_TOKEN: String(token),
    ACTIONS_RUNTIME_URL: `${url}/api/actions_pipeline/`,
    ACTIONS_RESULTS_URL: url,
    GITHUB_RUN_ID: String(context.run_id),
    ACTIONS_CACHE_SERVICE_V2: "true",
    ...(requestUrl !== undefined && { ACTIONS_ID_TOKEN_REQUEST_URL: String(requestUrl), ACTIONS_ID_TOKEN_REQUEST_TOKEN: String(requestToken) }),
    // The toolkit refuses other hosts, which it takes for an Enterprise Server.
    GITHUB_SERVER_URL: "http://forge.localhost",
    TOOLKIT: toolkitPath,
  };
}

async function execute(runner: TestRunner, task: Task, url: string): Promise<Result> {
  const workflow = parse(Buffer.from(task.workflowPayload ?? new Uint8Array()).toString("utf8")) as {
    readonly env?: Readonly<Record<string, string>>;
    readonly jobs: Readonly<Record<string, JobFields>>;
  };
  const [job] = Object.values(workflow.jobs);
  if (job === undefined) throw new Error("the task has no job");
  const directory = await mkdtemp(join(tmpdir(), "hearth-runner-"));
  const steps: Record<string, { readonly outputs: Readonly<Record<string, string>> }> = {};
  const matrix = Object.fromEntries(Object.entries(job.strategy?.matrix ?? {}).map(([name, values]) => [name, values[0]]));
  const needs = Object.fromEntries(Object.entries(task.needs).map(([key, { outputs, result }]) => [key, { outputs, result: resultNames[result] }]));
  const contexts = () => ({ github: task.context, secrets: task.secrets, vars: task.vars, needs, matrix, steps });
  const ended: StepReport[] = [];
  let row = 0;
  let result: Result = Result.SUCCESS;
  const write = async (lines: readonly string[], isLast = false) => {
    row = await runner.log(task.id, row, lines, isLast);
  };
  try {
    for (const [at, step] of job.steps.entries()) {
      if ((step.run ?? step.uses) === undefined || result !== Result.SUCCESS) continue;
      const output = join(directory, `output-${at}`);
      const summary = join(directory, `summary-${at}`);
      for (const file of [output, summary]) await writeFile(file, "");
      const action =
        step.uses === undefined ? undefined : await fetchAction(step.uses, join(directory, `action-${at}`), String(task.context?.gitea_default_actions_url));
      const script = action?.script ?? evaluate(step.run ?? "", contexts());
      const inputs = Object.entries({ ...action?.defaults, ...step.with }).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, evaluate(text, contexts())]);
      const env = Object.fromEntries(
        Object.entries({ ...workflow.env, ...job.env, ...step.env }).map(([name, text]) => [name, evaluate(String(text), contexts())]),
      );
      const { code, lines } = await runScript(script, directory, {
        ...servicesOf(task, url),
        RUNNER_TEMP: directory,
        GITHUB_REF: String(task.context?.ref),
        GITHUB_WORKSPACE: directory,
        GITHUB_SHA: String(task.context?.sha),
        GITHUB_REPOSITORY: String(task.context?.repository),
        FORGE: url,
        ...Object.fromEntries(inputs),
        ...env,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_ACTION: step.id ?? String(at),
        CI: "true",
      });
      const first = row;
      await write(lines);
      if (code !== 0) result = Result.FAILURE;
      ended.push({ id: at, result: code === 0 ? Result.SUCCESS : Result.FAILURE, logIndex: first, logLength: lines.length });
      const outputs = Object.fromEntries(
        (await readFile(output, "utf8")).split("\n").flatMap((line) => (line.includes("=") ? [line.split(/=(.*)/s).slice(0, 2) as [string, string]] : [])),
      );
      if (step.id !== undefined) steps[step.id] = { outputs };
      if ((await runner.report(task.id, Result.UNSPECIFIED, {}, ended)) === Result.CANCELLED) result = Result.CANCELLED;
    }
    for (const at of job.steps.keys()) await sendSummary(task, url, at, await readFile(join(directory, `summary-${at}`), "utf8").catch(() => ""));
    await write([], true);
    const outputs = Object.fromEntries(Object.entries(job.outputs ?? {}).map(([name, text]) => [name, evaluate(text, contexts())]));
    await runner.report(task.id, result, outputs, ended);
    return result;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Clones an action as the stock runner does, from the server that the task names. Only those in JavaScript run here. */
async function fetchAction(
  uses: string,
  folder: string,
  server: string,
): Promise<{ readonly script: string; readonly defaults: Readonly<Record<string, string>> }> {
  const [, name = "", ref = ""] = /^([^@]+)@(.+)$/.exec(uses) ?? [];
  const { code, lines } = await runScript('git clone -q --depth 1 --branch "$REF" "$URL" "$FOLDER"', tmpdir(), {
    REF: ref,
    URL: `${server}/${name}`,
    FOLDER: folder,
  });
  if (code !== 0) throw new Error(`the action ${uses} cannot be cloned: ${lines.join("\n")}`);
  const { inputs, runs } = parse(await readFile(join(folder, "action.yml"), "utf8")) as {
    readonly inputs?: Readonly<Record<string, { readonly default?: string }>>;
    readonly runs: { readonly main: string };
  };
  const defaults = Object.entries(inputs ?? {}).flatMap(([input, { default: value }]) => (value === undefined ? [] : [[input, value] as const]));
  return { script: `node '${join(folder, runs.main)}'`, defaults: Object.fromEntries(defaults) };
}

/** Sends the summary of a step, if it wrote one, as newer stock runners do at the end of a job. */
export async function sendSummary(task: Task, url: string, step: number, content: string): Promise<void> {
  if (content === "") return;
  const { address, headers } = summaryOf(task, url, step);
  const { status } = await fetch(address, { method: "PUT", headers, body: content });
  if (status !== 200) throw new Error(`a summary is answered with ${status}`);
}

/** Where newer stock runners send the summary of a step. They find the job in the claims of its token. */
export function summaryOf(task: Task, url: string, step: number | string) {
  const { gitea_runtime_token: token, run_id: run } = task.context as { readonly gitea_runtime_token: string; readonly run_id: string };
  const { JobID: job } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { readonly JobID: number };
  return {
    address: `${url}/api/actions_pipeline/_apis/pipelines/workflows/${run}/jobs/${job}/steps/${step}/summary`,
    headers: { authorization: `Bearer ${token}`, "content-type": "text/markdown; charset=utf-8" },
  };
}

function runScript(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-e", "-c", script], { cwd, env: { PATH: process.env.PATH ?? "", HOME: cwd, ...env } });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const text = Buffer.concat(chunks).toString("utf8").trimEnd();
      resolve({ code: code ?? 1, lines: text === "" ? [] : text.split("\n") });
    });
  });
}

function evaluate(text: string, contexts: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(contexts);
  const values = new data.Dictionary(
    ...names.map((key) => ({ key, value: JSON.parse(JSON.stringify(contexts[key] ?? null), data.reviver) as data.ExpressionData })),
  );
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, inner: string) =>
    new Evaluator(new Parser(new Lexer(inner).lex().tokens, names, []).parse(), values).evaluate().coerceString(),
  );
}
