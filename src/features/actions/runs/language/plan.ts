import { parse, stringify } from "yaml";
import type { MistakeKind } from "../../../../core/workflow-mistakes.ts";
import { evaluateAll, evaluateText, isMet, type Scope } from "./expressions.ts";
import { withInputs } from "./inputs.ts";
import { type Combination, expandMatrix } from "./matrix.ts";
import { explain } from "./messages.ts";
import { failWith, mistake, WorkflowError, within } from "./problem.ts";
import type { ReadWorkflow } from "./read.ts";
import type { CallInstance, Concurrency, EndedJob, JobInstance, JobPlan, Permissions, PlanContext, RunPlan } from "./workflow.ts";

type Fields = Readonly<Record<string, unknown>>;

const defaultTimeoutMinutes = 360;
const maxLabels = 20;
const maxTextLength = 255;
const maxPayloadBytes = 512 * 1024;

const isMap = (value: unknown): value is Fields => value !== null && typeof value === "object" && !Array.isArray(value);
const bounded = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text);

/** Evaluates the parts of a workflow that belong to the whole run. @throws WorkflowError */
export function planRun({ runName, fields }: ReadWorkflow, context: PlanContext): RunPlan {
  const scope = { contexts: { ...context } };
  const title = runName === undefined ? undefined : String(inField("run-name", () => evaluateText(runName, scope)) ?? "").trim();
  return {
    title: title === "" || title === undefined ? undefined : bounded(title),
    concurrency: inField("concurrency", () => readConcurrency(fields.concurrency, scope)),
  };
}

function readConcurrency(concurrency: unknown, scope: Scope): Concurrency | undefined {
  const given = concurrency === undefined || concurrency === null ? undefined : evaluateAll(concurrency, scope);
  const group = isMap(given) ? given.group : given;
  if (group === undefined || group === null || group === "") return undefined;
  return { group: bounded(String(group)), cancelsInProgress: isMap(given) && given["cancel-in-progress"] === true };
}

/** Decides about a job whose needs have ended. @throws WorkflowError */
export function planJob(workflow: ReadWorkflow, key: string, context: PlanContext, needed: readonly EndedJob[]): JobPlan {
  const job = workflow.jobFields.get(key) ?? failWith("job_missing", { job: key });
  const needs = Object.fromEntries(needed.map(({ key: name, result, outputs }) => [name, { result, outputs }]));
  const contexts = { ...context, needs };
  const inJob = <T>(field: string, work: () => T): T => inField(`jobs.${key}.${field}`, work);
  if (!inJob("if", () => isMet(job.if, { contexts, results: needed.map(({ result }) => result) }))) return { key, kind: "skip" };
  const strategy = (job.strategy ?? {}) as Fields;
  const combinations = inJob("strategy", () => expandMatrix(evaluateAll(strategy.matrix, { contexts })));
  const failsFast = inJob("strategy.fail-fast", () => evaluateAll(strategy["fail-fast"], { contexts })) !== false;
  const limit = inJob("strategy.max-parallel", () => Number(evaluateAll(strategy["max-parallel"] ?? 0, { contexts })));
  const isAlone = combinations.length === 1 && Object.keys(combinations[0] ?? {}).length === 0;
  const expanded = combinations.map((matrix, at): readonly [Expanded, Scope] => [
    { key, job, matrix, isAlone },
    { contexts: { ...contexts, matrix, strategy: { "fail-fast": failsFast, "job-index": at, "job-total": combinations.length } } },
  ]);
  const permissions = readPermissions(job.permissions ?? workflow.fields.permissions);
  const rules = { failsFast, maxParallel: Number.isInteger(limit) && limit > 0 ? limit : null, permissions };
  if (typeof job.uses === "string") return { key, kind: "call", uses: job.uses, instances: expanded.map(([one, scope]) => toCall(one, scope)), ...rules };
  const instances = expanded.map(([one, scope]) => toInstance(workflow, one, scope));
  const size = instances.reduce((sum, { payload }) => sum + payload.length, 0);
  if (size > maxPayloadBytes * 16) throw new WorkflowError([within(`jobs.${key}`, mistake("jobs_too_large", { count: instances.length, bytes: size }))]);
  return { key, kind: "run", instances, ...rules };
}

/** Evaluates the outputs that a called workflow declares. @throws WorkflowError */
export function planOutputs({ fields }: ReadWorkflow, context: PlanContext, ended: readonly EndedJob[]): Readonly<Record<string, string>> {
  const { on } = fields;
  const trigger = isMap(on) && isMap(on.workflow_call) ? on.workflow_call : {};
  const jobs = Object.fromEntries(ended.map(({ key, result, outputs }) => [key, { result, outputs }]));
  const declared = isMap(trigger.outputs) ? Object.entries(trigger.outputs) : [];
  return Object.fromEntries(
    declared.map(([name, output]) => {
      const value = isMap(output) ? String(output.value ?? "") : "";
      return [name, String(inField(`on.workflow_call.outputs.${name}`, () => evaluateText(value, { contexts: { ...context, jobs } })) ?? "")];
    }),
  );
}

/** Evaluates expressions by name. One that fails is empty. */
export function evaluateEach(values: Readonly<Record<string, string>>, contexts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => {
      try {
        return [name, String(evaluateText(text, { contexts }) ?? "")];
      } catch {
        return [name, ""];
      }
    }),
  );
}

interface Expanded {
  readonly key: string;
  readonly job: Fields;
  readonly matrix: Combination;
  /** The job has no matrix. */
  readonly isAlone: boolean;
}

function nameOf({ key, job, matrix, isAlone }: Expanded, scope: Scope): string {
  const given = job.name === undefined || job.name === null ? key : inField(`jobs.${key}.name`, () => evaluateText(String(job.name), scope));
  const values = Object.values(matrix).flatMap((value) => (isMap(value) ? Object.values(value) : [value]));
  const usesMatrix = typeof job.name === "string" && job.name.includes("${{");
  return isAlone || usesMatrix ? String(given ?? key) : `${String(given)} (${values.map(String).join(", ")})`;
}

/** One call of a workflow. Its secrets are evaluated when a job receives them. */
function toCall(one: Expanded, scope: Scope): CallInstance {
  const { key, job } = one;
  const inJob = <T>(field: string, work: () => T): T => inField(`jobs.${key}.${field}`, work);
  const inputs = inJob("with", () => evaluateAll(job.with ?? {}, scope));
  const { secrets } = job;
  const { needs, matrix, strategy } = scope.contexts;
  return {
    name: bounded(nameOf(one, scope)),
    inputs: isMap(inputs) ? inputs : {},
    secrets:
      secrets === "inherit" ? "inherit" : Object.fromEntries(Object.entries(isMap(secrets) ? secrets : {}).map(([name, value]) => [name, String(value)])),
    contexts: { needs, matrix, strategy },
    concurrency: inJob("concurrency", () => readConcurrency(job.concurrency, scope)),
  };
}

function toInstance(workflow: ReadWorkflow, one: Expanded, scope: Scope): JobInstance {
  const { key, job } = one;
  const inJob = <T>(field: string, work: () => T): T => inField(`jobs.${key}.${field}`, work);
  const labels = labelsOf(
    inJob("runs-on", () => evaluateAll(job["runs-on"], scope)),
    key,
  );
  const timeout = Number(inJob("timeout-minutes", () => evaluateAll(job["timeout-minutes"] ?? defaultTimeoutMinutes, scope)));
  if (!Number.isFinite(timeout) || timeout <= 0) failIn(key, "timeout_invalid");
  const payload = payloadOf(workflow.fields, one, labels, scope.contexts.inputs);
  if (Buffer.byteLength(payload) > maxPayloadBytes) failIn(key, "job_too_large", { max: maxPayloadBytes });
  return {
    name: bounded(nameOf(one, scope)),
    labels,
    environment: bounded(String(inJob("environment", () => evaluateText(environmentOf(job.environment), scope)) ?? "")),
    stepNames: stepNamesOf(job.steps),
    payload,
    timeoutMinutes: timeout,
    continuesOnError: inJob("continue-on-error", () => evaluateAll(job["continue-on-error"], scope)) === true,
    concurrency: inJob("concurrency", () => readConcurrency(job.concurrency, scope)),
  };
}

const environmentOf = (given: unknown): string => {
  const name = isMap(given) ? given.name : given;
  return name === undefined || name === null ? "" : String(name);
};

/** As runners name them: unevaluated. */
function stepNamesOf(steps: unknown): readonly string[] {
  return (Array.isArray(steps) ? steps : [])
    .filter(isMap)
    .map((step) => bounded(String(step.name ?? `Run ${String(step.uses ?? step.run ?? "").split("\n", 1)[0]}`)));
}

/** The indexes of the steps with an id, by id. @param payload a job as a runner executes it */
export function stepIndexes(payload: string): Readonly<Record<string, string>> {
  const { jobs } = parse(payload, { logLevel: "error" }) as { readonly jobs: Fields };
  const steps = Object.values(jobs).flatMap((job) => (isMap(job) && Array.isArray(job.steps) ? (job.steps as readonly unknown[]) : []));
  return Object.fromEntries(steps.flatMap((step, at) => (isMap(step) && typeof step.id === "string" ? [[step.id, String(at)]] : [])));
}

function labelsOf(given: unknown, key: string): readonly string[] {
  const found = isMap(given) ? given.labels : given;
  const labels = found === undefined || found === null ? [] : [found].flat().map((label) => String(label).trim());
  if (labels.length === 0 || labels.some((label) => label === "")) return failIn(key, "labels_missing");
  if (labels.length > maxLabels || labels.some((label) => label.length > maxTextLength)) return failIn(key, "labels_too_many");
  return [...new Set(labels)];
}

/**
 * The runner gets a workflow with one job and one combination of the matrix. It evaluates the steps, and receives the needs separately. It
 * does not know the inputs, so references to them become their values.
 */
function payloadOf(fields: Fields, { key, job, matrix, isAlone }: Expanded, labels: readonly string[], inputs: unknown): string {
  const { needs: _needs, strategy, permissions: _permissions, concurrency: _concurrency, ...rest } = job;
  const single = !isAlone && { matrix: Object.fromEntries(Object.entries(matrix).map(([name, value]) => [name, [value]])) };
  const { name, env, defaults } = fields;
  const known = Object.fromEntries(Object.entries({ name, env, defaults }).filter(([, value]) => value !== undefined));
  const kept = withInputs(known, inputs) as Fields;
  return stringify(
    {
      ...kept,
      on: "push",
      jobs: {
        [key]: { ...(withInputs(rest, inputs) as Fields), "runs-on": labels, ...(single && isMap(strategy) && { strategy: { "fail-fast": true, ...single } }) },
      },
    },
    // Without anchors: runners limit them.
    { aliasDuplicateObjects: false, lineWidth: 0 },
  );
}

/** @throws WorkflowError for an unknown level */
export function readPermissions(given: unknown): Permissions | undefined {
  if (given === undefined || given === null) return undefined;
  if (given === "read-all" || given === "write-all") return { all: given === "read-all" ? "read" : "write" };
  if (!isMap(given)) return failWith("permissions_invalid");
  return Object.fromEntries(
    Object.entries(given).map(([name, level]) =>
      level === "read" || level === "write" || level === "none" ? [name, level] : failWith("permission_invalid", { name }),
    ),
  );
}

const failIn = (key: string, kind: MistakeKind, values: Readonly<Record<string, number>> = {}): never => {
  throw new WorkflowError([within(`jobs.${key}`, mistake(kind, values))]);
};

/** Adds the field to the message of an expression that fails. */
function inField<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && error.name === "Error" && !("problems" in error))
      throw new WorkflowError([within(field, explain(error.message))], { cause: error });
    throw error;
  }
}
