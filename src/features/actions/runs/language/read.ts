import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import type { EventsConfig } from "@actions/workflow-parser/model/workflow-template";
import type { TemplateContext } from "@actions/workflow-parser/templates/template-context";
import { type Document, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { explain, explainYaml } from "./messages.ts";
import { failWith, mistake, type Problem, WorkflowError, within } from "./problem.ts";
import { parseUses } from "./uses.ts";
import type { DispatchInput, JobDefinition, Trigger, Triggers, Workflow } from "./workflow.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A workflow together with the fields of its file, which plans are made from. */
export interface ReadWorkflow extends Workflow {
  readonly fields: Fields;
  readonly jobFields: ReadonlyMap<string, Fields>;
  /** The place of a field that a message begins with, or of its job; empty if it is not known. */
  readonly placeOf: (key: string | undefined, message: string) => Pick<Problem, "line" | "column">;
}

const maxProblems = 20;
const maxJobs = 256;

/** Reads and checks a workflow file. @throws WorkflowError with the places of all mistakes */
export async function readWorkflow(path: string, text: string): Promise<ReadWorkflow> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors.map((error) => ({ ...place(error.linePos?.[0]), ...explainYaml(error) }));
  if (broken.length > 0) throw new WorkflowError(broken.slice(0, maxProblems));
  checkKeys(document, lines);
  // Aliases multiply the content: their number is limited, before the parser follows them.
  const fields = document.toJS({ maxAliasCount: 100 }) as Fields;
  const parsed = parseWorkflow({ name: path, content: text }, new NoOperationTraceWriter());
  const converted = parsed.value === undefined ? undefined : await convertWorkflowTemplate(parsed.context, parsed.value);
  const problems = problemsOf(parsed.context);
  if (problems.length > 0) throw new WorkflowError(problems);
  if (converted === undefined) return failWith("file_empty");
  const jobFields = new Map(Object.entries(fields.jobs as Record<string, Fields>));
  const positionOf = (...path: readonly string[]): Pick<Problem, "line" | "column"> => {
    const range = (document.getIn(path, true) as { readonly range?: readonly number[] } | undefined)?.range;
    return range?.[0] === undefined ? {} : place(lines.linePos(range[0]));
  };
  checkJobs(jobFields, (key) => positionOf("jobs", key));
  return {
    name: textOf(fields.name),
    runName: textOf(fields["run-name"]),
    triggers: triggersOf(converted.events, fields.on),
    jobs: [...jobFields].map(([key, job]) => toJob(key, job)),
    fields,
    jobFields,
    placeOf(key, message) {
      const field = /^(?:jobs\.[^.:]+(?:\.|: ))?([\w-]+)/.exec(message)?.[1] ?? "";
      const found = positionOf(...(key === undefined ? [field] : ["jobs", key, field]));
      return found.line === undefined && key !== undefined ? positionOf("jobs", key) : found;
    },
  };
}

const place = (at: { readonly line: number; readonly col: number } | undefined): Pick<Problem, "line" | "column"> =>
  at === undefined ? {} : { line: at.line, column: at.col };

/** The parser expects a mapping, and strings as its keys. */
function checkKeys(document: Document, lines: LineCounter): void {
  const problems: Problem[] = [];
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) failWith("file_empty");
  visit(document, {
    Pair(_, { key }) {
      const [start] = (key as { readonly range?: readonly number[] } | null)?.range ?? [];
      if (!isScalar(key) || typeof key.value !== "string") problems.push({ ...(start !== undefined && place(lines.linePos(start))), ...mistake("key_type") });
    },
  });
  if (problems.length > 0) throw new WorkflowError(problems.slice(0, maxProblems));
}

const textOf = (value: unknown): string | undefined => (value === undefined || value === null || value === "" ? undefined : String(value));

/** Files often have quoted defaults, such as 'false' for an input of the type boolean. */
const ofDefaults = /while reading 'input default'/;

function problemsOf(context: TemplateContext): readonly Problem[] {
  return context.errors
    .getErrors()
    .filter(({ rawMessage }) => !ofDefaults.test(rawMessage))
    .slice(0, maxProblems)
    .map(({ rawMessage, range }) => ({ ...(range && { line: range.start.line, column: range.start.column }), ...explain(rawMessage) }));
}

/** Rules of this server, and keys that it does not support: a job that ignored them would do something else than its file says. */
function checkJobs(jobs: ReadonlyMap<string, Fields>, positionOf: (key: string) => Pick<Problem, "line" | "column">): void {
  const problems: Problem[] = [];
  const report = (key: string, problem: Problem): void => void problems.push({ ...positionOf(key), ...within(`jobs.${shortKey(key)}`, problem) });
  if (jobs.size > maxJobs) failWith("jobs_too_many", { count: jobs.size, max: maxJobs });
  for (const [key, job] of jobs) {
    const uses = textOf(job.uses);
    if (uses !== undefined && parseUses(uses) === undefined) report(key, mistake("uses_invalid"));
  }
  if (problems.length > 0) throw new WorkflowError(problems.slice(0, maxProblems));
}

const shortKey = (key: string): string => (key.length > 60 ? `${key.slice(0, 60)}…` : key);

const toJob = (key: string, job: Fields): JobDefinition => ({
  key,
  name: textOf(job.name),
  needs: job.needs === undefined || job.needs === null ? [] : [job.needs].flat().map(String),
  ...(textOf(job.uses) !== undefined && { uses: String(job.uses) }),
});

/** @param written the same events as they are in the file */
function triggersOf(events: EventsConfig | undefined, written: unknown): Triggers {
  const entries = Object.entries((events ?? {}) as Record<string, Fields>);
  return Object.fromEntries(entries.map(([name, given]) => [name, toTrigger(name, given ?? {}, fieldsIn(written, name))]));
}

const fieldsIn = (value: unknown, name: string): Fields => {
  const found = typeof value === "object" && value !== null ? (value as Fields)[name] : undefined;
  return typeof found === "object" && found !== null ? (found as Fields) : {};
};

function toTrigger(name: string, given: Fields, written: Fields): Trigger {
  const listed = (key: string): readonly string[] | undefined => (Array.isArray(given[key]) ? (given[key] as unknown[]).map(String) : undefined);
  const lists = {
    branches: listed("branches"),
    branchesIgnore: listed("branches-ignore"),
    tags: listed("tags"),
    tagsIgnore: listed("tags-ignore"),
    paths: listed("paths"),
    pathsIgnore: listed("paths-ignore"),
    types: listed("types"),
    workflows: listed("workflows"),
    crons: name === "schedule" && Array.isArray(given) ? given.map(({ cron }: { readonly cron: string }) => cron) : undefined,
    inputs: name === "workflow_dispatch" || name === "workflow_call" ? inputsOf(written) : undefined,
    requiredSecrets: name === "workflow_call" ? requiredSecretsOf(written) : undefined,
  };
  return Object.fromEntries(Object.entries(lists).filter(([, value]) => value !== undefined)) as Trigger;
}

/** Inputs as they are in the file, because the parser drops the type `number` and its default. */
const inputsOf = (trigger: Fields): readonly DispatchInput[] =>
  Object.keys(fieldsIn(trigger, "inputs")).map((name) => toInput(name, fieldsIn(trigger.inputs, name)));

const requiredSecretsOf = (trigger: Fields): readonly string[] =>
  Object.keys(fieldsIn(trigger, "secrets")).filter((name) => fieldsIn(trigger.secrets, name).required === true);

const toInput = (name: string, input: Fields): DispatchInput => ({
  name,
  description: textOf(input.description) ?? "",
  type: (textOf(input.type) ?? "string") as DispatchInput["type"],
  isRequired: input.required === true,
  default: textOf(input.default) ?? "",
  options: Array.isArray(input.options) ? input.options.map(String) : [],
});
