import type { MistakeKind } from "../../../../core/workflow-mistakes.ts";
import { mistake, type Problem, within } from "../language/problem.ts";
import type { CallInstance, DispatchInput, JobPlan, Permissions } from "../language/workflow.ts";
import type { Call, JobRow, RunContent, RunRow } from "../model.ts";
import type { ExpandedJob } from "../store/jobs.ts";
import type { CalledFiles } from "./called-files.ts";

/** The jobs of one workflow file in a run: those of the run itself, or those of a call. */
export interface Level {
  readonly parent: Pick<JobRow, "id" | "name" | "call"> | undefined;
  readonly path: string;
  readonly text: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Keys of the files that its jobs call. */
  readonly calls: Readonly<Record<string, string>>;
  readonly called: CalledFiles;
}

/** @param parentId the calling job; null: the workflow of the run */
export function levelOf(
  run: Pick<RunRow, "workflowPath"> & RunContent,
  called: CalledFiles,
  jobs: readonly JobRow[],
  parentId: number | null,
): Level | undefined {
  if (parentId === null) {
    const inputs = JSON.parse(run.inputs) as Readonly<Record<string, unknown>>;
    return { parent: undefined, path: run.workflowPath, text: run.content, inputs, calls: called.calls, called };
  }
  const parent = jobs.find(({ id }) => id === parentId);
  const file = parent?.call == null ? undefined : called.files[parent.call.file];
  if (parent?.call == null || file === undefined) return undefined;
  return { parent, path: file.path, text: file.text, inputs: parent.call.inputs, calls: file.calls, called };
}

/** Jobs of one call, or of the workflow itself. */
export const siblingsOf = (jobs: readonly JobRow[], job: Pick<JobRow, "parentId">): readonly JobRow[] =>
  jobs.filter(({ parentId }) => parentId === job.parentId);

/** The jobs of calls, and of the calls in them. */
export function descendantsOf(jobs: readonly JobRow[], ids: ReadonlySet<number>): readonly JobRow[] {
  const found = new Set<number>();
  // A job has a larger id than the job that calls it.
  for (const { id, parentId } of [...jobs].sort((a, b) => a.id - b.id)) if (parentId !== null && (ids.has(parentId) || found.has(parentId))) found.add(id);
  return jobs.filter(({ id }) => found.has(id));
}

/** The calls that lead to a job, the outermost first. */
export function callsAbove(jobs: readonly JobRow[], job: Pick<JobRow, "parentId">): readonly JobRow[] {
  const parent = job.parentId === null ? undefined : jobs.find(({ id }) => id === job.parentId);
  return parent === undefined ? [] : [...callsAbove(jobs, parent), parent];
}

export type Expandable = Exclude<JobPlan, { readonly kind: "skip" }>;

export interface Expansion {
  readonly rules: Pick<Expandable, "failsFast" | "maxParallel" | "permissions">;
  readonly jobs: readonly ExpandedJob[];
}

/**
 * The rows for a planned job: their names contain that of the calling job, and it limits their permissions.
 * @param undeclared the permissions of a job that declares none: a called workflow cannot request more
 */
export function expansionOf(plan: Expandable, level: Level, undeclared: Permissions): Expansion | { readonly problems: readonly Problem[] } {
  const limit = level.parent?.call?.permissions ?? undefined;
  const permissions = limit === undefined ? plan.permissions : limitPermissions(plan.permissions, limit);
  const rules = { failsFast: plan.failsFast, maxParallel: plan.maxParallel, permissions };
  const named = (name: string): string => (level.parent === undefined ? name : `${level.parent.name} / ${name}`);
  if (plan.kind === "run") return { rules, jobs: plan.instances.map((work) => ({ name: named(work.name), concurrency: work.concurrency, work })) };
  const file = level.calls[plan.uses] ?? "";
  const called = level.called.files[file];
  if (called === undefined) return { problems: [within(`jobs.${plan.key}`, mistake("uses_unknown", { uses: plan.uses }))] };
  const problems: Problem[] = [];
  const jobs = plan.instances.map((instance) => {
    const missing = instance.secrets === "inherit" ? [] : called.requiredSecrets.filter((name) => !Object.hasOwn(instance.secrets as object, name));
    problems.push(...missing.map((name) => within(`jobs.${plan.key}`, mistake("call_secret_missing", { name, path: called.path }))));
    const inputs = readInputs(plan.key, called.inputs, instance, problems);
    const { secrets, contexts, concurrency } = instance;
    const work: Call = { file, path: called.path, inputs, secrets, contexts, permissions: permissions ?? undeclared, jobs: called.jobs };
    return { name: named(instance.name), concurrency, work };
  });
  return problems.length > 0 ? { problems } : { rules, jobs };
}

const levels = ["none", "read", "write"] as const;

/** The permissions that both grant. */
export function limitPermissions(declared: Permissions | undefined, limit: Permissions): Permissions {
  const lower = (a: Permissions[string], b: Permissions[string]) => levels[Math.min(levels.indexOf(a), levels.indexOf(b))] ?? "none";
  const { all } = declared ?? { all: "write" };
  if (all !== undefined) return Object.fromEntries(Object.entries(limit).map(([name, level]) => [name, lower(level, all)]));
  return Object.fromEntries(Object.entries(declared ?? {}).map(([name, level]) => [name, lower(level, limit[name] ?? limit.all ?? "none")]));
}

/** The inputs of a call with their types and defaults. */
function readInputs(key: string, declared: readonly DispatchInput[], { inputs }: CallInstance, problems: Problem[]): Readonly<Record<string, unknown>> {
  const report = (kind: MistakeKind, name: string): void => void problems.push(within(`jobs.${key}.with`, mistake(kind, { name })));
  for (const name of Object.keys(inputs)) if (!declared.some((input) => input.name === name)) report("call_input_unknown", name);
  return Object.fromEntries(
    declared.map((input) => {
      const given = inputs[input.name];
      if (given === undefined && input.isRequired) report("call_input_missing", input.name);
      return [input.name, readInput(input, given ?? input.default, report)];
    }),
  );
}

function readInput({ name, type }: DispatchInput, value: unknown, report: (kind: MistakeKind, name: string) => void): unknown {
  const text = String(value ?? "");
  if (type === "boolean") {
    if (text !== "true" && text !== "false" && text !== "") report("call_input_boolean", name);
    return text === "true";
  }
  if (type !== "number") return typeof value === "object" && value !== null ? JSON.stringify(value) : text;
  if (!Number.isFinite(Number(text))) report("call_input_number", name);
  return Number(text);
}
