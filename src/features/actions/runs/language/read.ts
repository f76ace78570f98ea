import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import type { EventsConfig } from "@actions/workflow-parser/model/workflow-template";
import type { TemplateContext } from "@actions/workflow-parser/templates/template-context";
import { LineCounter, parseDocument } from "yaml";
import { type Problem, WorkflowError } from "./problem.ts";
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
const maxNameLength = 255;

/** Reads and checks a workflow file. @throws WorkflowError with the places of all mistakes */
export async function readWorkflow(path: string, text: string): Promise<ReadWorkflow> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors.map(({ message, linePos }) => ({ ...place(linePos?.[0]), message: message.split("\n", 1)[0] ?? message }));
  if (broken.length > 0) throw new WorkflowError(broken.slice(0, maxProblems));
  // Aliases multiply the content: their number is limited, before the parser follows them.
  const fields = document.toJS({ maxAliasCount: 100 }) as Fields;
  const parsed = parseWorkflow({ name: path, content: text }, new NoOperationTraceWriter());
  const converted = parsed.value === undefined ? undefined : await convertWorkflowTemplate(parsed.context, parsed.value);
  const problems = problemsOf(parsed.context);
  if (problems.length > 0) throw new WorkflowError(problems);
  if (converted === undefined) throw new WorkflowError([{ line: 1, column: 1, message: "the file is empty" }]);
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
      const field = /^(?:jobs\.[^.:]+\.)?([\w-]+)/.exec(message)?.[1] ?? "";
      const found = positionOf(...(key === undefined ? [field] : ["jobs", key, field]));
      return found.line === undefined && key !== undefined ? positionOf("jobs", key) : found;
    },
  };
}

const place = (at: { readonly line: number; readonly col: number } | undefined): Pick<Problem, "line" | "column"> =>
  at === undefined ? {} : { line: at.line, column: at.col };

const textOf = (value: unknown): string | undefined => (value === undefined || value === null || value === "" ? undefined : String(value));

/** Files often have quoted defaults, such as 'false' for an input of the type boolean. */
const ofDefaults = /while reading 'input default'/;

function problemsOf(context: TemplateContext): readonly Problem[] {
  return context.errors
    .getErrors()
    .filter(({ rawMessage }) => !ofDefaults.test(rawMessage))
    .slice(0, maxProblems)
    .map(({ rawMessage, range }) => ({ ...(range && { line: range.start.line, column: range.start.column }), message: rawMessage }));
}

/** Rules of this server, and keys that it does not support: a job that ignored them would do something else than its file says. */
function checkJobs(jobs: ReadonlyMap<string, Fields>, positionOf: (key: string) => Pick<Problem, "line" | "column">): void {
  const problems: Problem[] = [];
  const report = (key: string, message: string): void => void problems.push({ ...positionOf(key), message: `job ${shorten(key)}: ${message}` });
  if (jobs.size > maxJobs) throw new WorkflowError([{ message: `the workflow has ${jobs.size} jobs; at most ${maxJobs} are allowed` }]);
  for (const [key, job] of jobs) {
    if (key.length > maxNameLength) report(key, `its key is longer than ${maxNameLength} characters`);
    const uses = textOf(job.uses);
    if (uses !== undefined && parseUses(uses) === undefined)
      report(key, "`uses` must be ./.gitea/workflows/FILE or OWNER/REPOSITORY/.gitea/workflows/FILE@REF");
  }
  if (problems.length > 0) throw new WorkflowError(problems.slice(0, maxProblems));
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

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
