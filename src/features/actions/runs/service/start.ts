import type { RepositorySubject } from "../../../../access/subjects.ts";
import { unavailable } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { whileTaken } from "../../../repositories/statuses/service.ts";
import { variablesOf } from "../../secrets/service/variables.ts";
import type { Problem } from "../language/problem.ts";
import type { PlanContext, RunPlan, Trigger, Workflow } from "../language/workflow.ts";
import type { RunRow } from "../model.ts";
import { endJobs, expandJob, insertJobs, listJobs } from "../store/jobs.ts";
import { insertRun } from "../store/runs.ts";
import { listWorkflows } from "../store/workflows.ts";
import { type CalledFiles, loadCalled, noCalledFiles } from "./called-files.ts";
import { type Expansion, expansionOf, type Level } from "./calls.ts";
import type { RunsDeps } from "./deps.ts";
import { listWorkflowFiles, type ReadFile } from "./files.ts";
import { type EvaluatedRun, githubContext } from "./github-context.ts";
import { undeclaredPermissions } from "./job-token.ts";
import { advance, enterGroup, finishRun, releaseJobs } from "./lifecycle.ts";
import { reportJobs, reportProblems, reportRequired } from "./statuses.ts";
import { rememberRun } from "./triggers.ts";

/** An event that can start workflows. */
export interface RunSource {
  readonly repository: RepositorySubject;
  /** Null: a request, such as a dispatch. */
  readonly eventId: number | null;
  /** Names a cause that is no event, or one of several of an event. It starts a workflow once. */
  readonly cause?: string;
  /** Number of runs before it that started each other. */
  readonly depth?: number;
  readonly actorId: number | null;
  /** Name of the trigger: `push`. */
  readonly trigger: string;
  readonly ref: string;
  /** The commit that the jobs check out. */
  readonly oid: Oid;
  readonly baseRef?: string;
  readonly headRef?: string;
  readonly isFromFork?: boolean;
  readonly needsApproval?: boolean;
  readonly title: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The commit whose workflow files count. */
  readonly files: { readonly store: GitStore; readonly commitOid: Oid };
  /** The filters of the trigger; also asynchronous, because filters of paths read the changes. */
  readonly accepts: (trigger: Trigger) => boolean | Promise<boolean>;
  /** A broken file is reported by a run that has failed. */
  readonly reportsMistakes?: boolean;
  /** Composed only if a workflow starts. @param trigger that of the workflow */
  readonly payload: (trigger: Trigger) => Promise<object>;
  /** The requirement that the workflow belongs to, and the commit with its file. */
  readonly required?: { readonly id: number; readonly oid: Oid };
  /** Takes the cause in the transaction of the run. If it returns false, another process has taken it. */
  readonly claim?: (tx: Tx) => Promise<boolean>;
}

export const canRun = (repository: RepositorySubject): boolean => repository.enabledUnits.has("repo.actions") && !repository.isArchived;

/** Starts the workflows that an event triggers. An event that is delivered again starts none twice. @returns the new runs */
export async function startRuns(deps: RunsDeps, source: RunSource): Promise<readonly RunRow[]> {
  const files = await listWorkflowFiles(source.files.store, source.files.commitOid);
  if (files.length === 0) return [];
  const disabled = new Set((await listWorkflows(deps.db, source.repository.id)).filter(({ isDisabled }) => isDisabled).map(({ file }) => file));
  const reads: ReadFile[] = [];
  for (const file of files.filter((one) => !disabled.has(one.file))) reads.push(await deps.workflowReader.read(source.files.store, file));
  const isBroken = (read: ReadFile): boolean => "problems" in read;
  const started: RunRow[] = [];
  // Jobs do not wait for the reports of mistakes.
  for (const read of [...reads.filter((one) => !isBroken(one)), ...reads.filter(isBroken)]) {
    const trigger = "workflow" in read ? read.workflow.triggers[source.trigger] : undefined;
    const isReported = "problems" in read && source.reportsMistakes === true;
    if (!isReported && (trigger === undefined || !(await source.accepts(trigger)))) continue;
    const run = await startRun(deps, source, read);
    if (run !== undefined) started.push(run);
  }
  return started;
}

/** Starts one workflow. @returns undefined if the event or cause has started it already */
export async function startRun(deps: RunsDeps, source: RunSource, read: ReadFile): Promise<RunRow | undefined> {
  const { repository } = source;
  const workflowName = ("workflow" in read ? read.workflow.name : undefined) ?? read.path;
  const payload = JSON.stringify(await source.payload(("workflow" in read ? read.workflow.triggers[source.trigger] : undefined) ?? {}));
  const fields = {
    ...source,
    baseRef: source.baseRef ?? "",
    headRef: source.headRef ?? "",
    workflowName: workflowName.slice(0, 255),
    workflowPath: read.path,
    workflowFile: read.file,
    workflowOid: source.required?.oid ?? null,
  };
  const planned = await planFile(deps, source, read, { fields, payload });
  const problems = "problems" in planned ? planned.problems : [];
  const concurrency = "problems" in planned ? undefined : planned.run.concurrency;
  const isBroken = problems.length > 0;
  return whileTaken(() =>
    deps.db.tx(async (tx) => {
      if (source.claim !== undefined && !(await source.claim(tx))) return undefined;
      const run = await insertRun(tx, {
        repoId: repository.id,
        eventId: source.eventId,
        cause: source.cause ?? null,
        depth: source.depth ?? 0,
        workflowFile: read.file,
        workflowPath: read.path,
        workflowName: fields.workflowName,
        requiredId: source.required?.id ?? null,
        workflowOid: fields.workflowOid,
        content: read.text,
        called: JSON.stringify("problems" in planned ? noCalledFiles : planned.called),
        title: (("problems" in planned ? undefined : planned.run.title) ?? source.title).slice(0, 500),
        trigger: source.trigger,
        payload,
        inputs: JSON.stringify(source.inputs ?? {}),
        ref: source.ref,
        oid: source.oid,
        baseRef: fields.baseRef,
        headRef: fields.headRef,
        actorId: source.actorId,
        isFromFork: source.isFromFork ?? false,
        needsApproval: !isBroken && (source.needsApproval ?? false),
        concurrencyGroup: concurrency?.group ?? null,
        cancelsInProgress: concurrency?.cancelsInProgress ?? false,
        problems,
      });
      if (run === undefined) return undefined;
      await rememberRun(tx, run, "requested");
      await reportRequired(tx, run, repository.fullName);
      if ("problems" in planned || !("workflow" in read)) {
        await finishRun(tx, { run, fullName: repository.fullName }, "failure");
        await reportProblems(tx, run, repository.fullName);
        return run;
      }
      await insertPlanned(tx, run, read.workflow, planned);
      const place = { run, fullName: repository.fullName };
      // Code of a fork affects no other run before its approval.
      const isHeld = !run.needsApproval && (await enterGroup(tx, place));
      const jobs = await listJobs(tx, run.id);
      if (!isHeld && !run.needsApproval) {
        await releaseJobs(tx, place, jobs);
        // Jobs that were skipped at once can decide about others.
        if (jobs.some(({ status }) => status === "done")) await advance(tx, run.id);
      }
      const isReleased = !isHeld && !run.needsApproval;
      await reportJobs(
        tx,
        run,
        repository.fullName,
        jobs.filter(({ status, isExpanded }) => status === "done" || !isReleased || !isExpanded),
      );
      return run;
    }),
  );
}

interface PlannedFile {
  readonly run: RunPlan;
  readonly called: CalledFiles;
  readonly skipped: ReadonlySet<string>;
  /** By the key of the job. */
  readonly expansions: ReadonlyMap<string, Expansion>;
}

async function insertPlanned(tx: Tx, run: RunRow, workflow: Workflow, { skipped, expansions }: PlannedFile): Promise<void> {
  await insertJobs(
    tx,
    workflow.jobs.map(({ key, name, needs }) => ({ runId: run.id, repoId: run.repoId, parentId: null, key, name: name ?? key, needs })),
  );
  for (const job of await listJobs(tx, run.id)) {
    const expansion = expansions.get(job.key);
    if (skipped.has(job.key)) await endJobs(tx, [job.id], "skipped");
    else if (expansion !== undefined) await expandJob(tx, job, expansion.rules, expansion.jobs);
  }
}

interface Evaluated {
  readonly fields: EvaluatedRun;
  readonly payload: string;
}

/** Plans the run and its first jobs, and reads the files that its jobs call. */
async function planFile(
  deps: RunsDeps,
  source: RunSource,
  read: ReadFile,
  { fields, payload }: Evaluated,
): Promise<PlannedFile | { readonly problems: readonly Problem[] }> {
  if ("problems" in read) return { problems: read.problems };
  const { repository, actorId, inputs = {}, files, isFromFork = false } = source;
  const called = await loadCalled(deps, { repository, files, isFromFork }, read.workflow);
  if ("problems" in called) return called;
  const actor = actorId === null ? undefined : (await loadUsers(deps, [actorId])).get(actorId);
  const context: PlanContext = {
    github: githubContext(deps, repository, fields, { actorName: actor?.name ?? "", payload }),
    inputs,
    vars: await variablesOf(deps, repository.id, repository.ownerId),
  };
  const { path, text, workflow } = read;
  const jobs = workflow.jobs.filter(({ needs }) => needs.length === 0).map(({ key }) => ({ key, needed: [] }));
  const outcome = await deps.workflowLanguage.run({ kind: "plan", path, text, context, jobs });
  if (outcome.kind !== "done") throw unavailable("workflows cannot be planned at the moment", { meta: { reason: outcome.reason } });
  if ("problems" in outcome.value) return outcome.value;
  const level: Level = { parent: undefined, path, text, inputs, calls: called.calls, called };
  const skipped = new Set<string>();
  const expansions = new Map<string, Expansion>();
  for (const plan of outcome.value.value.jobs) {
    if (plan.kind === "skip") skipped.add(plan.key);
    else {
      const expansion = expansionOf(plan, level, undeclaredPermissions(deps));
      if ("problems" in expansion) return expansion;
      expansions.set(plan.key, expansion);
    }
  }
  return { run: outcome.value.value.run, called, skipped, expansions };
}
