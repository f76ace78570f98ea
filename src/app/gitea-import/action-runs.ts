import { join } from "node:path";
import { type Batch, newBatch } from "../../db/row-batch.ts";
import type { Step } from "../../features/actions/runs/model.ts";
import { maxFileBytes, workflowFileAt } from "../../features/actions/runs/service/files.ts";
import { lineBytes } from "../../features/actions/runs/service/logs.ts";
import { readBlob } from "../../git/objects/objects.ts";
import type { GitStore } from "../../git/stores.ts";
import { readTaskLog } from "./action-logs.ts";
import type { Conversion } from "./context.ts";
import { artifactFileName, type FileCopier, type KeptFile } from "./files.ts";
import { recordOf, stringsOf } from "./json.ts";
import { silentReport } from "./report.ts";
import type { RepositoryPlan } from "./repositories.ts";
import type { Known } from "./repository-relations.ts";
import type { ConvertedRunners } from "./runners.ts";
import { type ForeignRow, flagOf, knownId, millisOf, millisOrNull, numberOf, textOf } from "./source.ts";
import type { Writes } from "./writes.ts";

type Result = "success" | "failure" | "cancelled" | "skipped";

/** Statuses by the numbers of Gitea. The others have not ended. */
const results: Readonly<Record<number, Result>> = { 1: "success", 2: "failure", 3: "cancelled", 4: "skipped" };
const resultOf = (row: ForeignRow): Result => results[numberOf(row.status)] ?? "cancelled";
const hasEnded = (row: ForeignRow): boolean => results[numberOf(row.status)] !== undefined;

export interface RunsInput {
  readonly plan: RepositoryPlan;
  readonly known: Known;
  /** As `listRuns` returns them. */
  readonly ids: readonly number[];
  readonly runners: ConvertedRunners;
}

export interface ConvertedArtifacts {
  readonly batch: Batch;
  readonly files: readonly KeptFile[];
  readonly bytes: number;
}

const runsAtOnce = 50;
const confirmed = 2;

/** The ids of the runs to import, in their order. */
export async function listRuns({ source, report }: Conversion, { id }: RepositoryPlan): Promise<readonly number[]> {
  const runs = new Map<number, number>();
  for (const row of await source.database.all('select id, "index" from action_run where repo_id = ? order by id', [id])) {
    const number = numberOf(row.index);
    if (number < 1 || runs.has(number)) report.without("workflow runs without a number of their own", `id ${numberOf(row.id)}`);
    else runs.set(number, numberOf(row.id));
  }
  return [...runs.values()].toSorted((a, b) => a - b);
}

/** Artifacts that were uploaded as one file, whose row has its media type: those of earlier versions have none, or `gzip`. Their rows are written after those of the runs. */
export async function convertArtifacts({ source, report }: Conversion, { plan, ids }: RunsInput, copier: FileCopier): Promise<ConvertedArtifacts> {
  const batch = newBatch();
  const runs = new Set(ids);
  const files: KeptFile[] = [];
  const rows = await source.database.all("select * from action_artifact where repo_id = ? and status = ? order by id", [plan.id, confirmed]);
  const used = new Set<string>();
  for (const row of rows) {
    const [name, stored, mediaType] = [textOf(row.artifact_name), textOf(row.storage_path), textOf(row.content_encoding)];
    const key = `${numberOf(row.run_id)} ${name}`;
    const isWhole = runs.has(numberOf(row.run_id)) && mediaType.includes("/") && !stored.split("/").includes("..") && !used.has(key);
    const kept = isWhole
      ? await copier.upload(join(source.places.artifacts, stored), artifactFileName(numberOf(row.id), millisOf(row.updated_unix)))
      : undefined;
    if (kept === undefined) {
      report.without("artifacts that are missing or of several files", `${name} of ${plan.shownAs}`);
      continue;
    }
    used.add(key);
    files.push(kept);
    batch.add("action_artifacts", {
      id: numberOf(row.id),
      repo_id: plan.id,
      run_id: numberOf(row.run_id),
      attempt: 1,
      name,
      media_type: mediaType,
      digest: kept.digest,
      size_bytes: kept.sizeBytes,
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
      expires_ms: millisOf(row.expired_unix),
    });
  }
  report.count("artifacts", batch.size("action_artifacts"));
  return { batch, files, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

/** Adds workflow runs with their jobs, tasks and logs. @param store undefined in a dry run, and without content */
export async function addActionRuns(conversion: Conversion, input: RunsInput, writes: Writes, store: GitStore | undefined): Promise<void> {
  const { source, report } = conversion;
  const { plan, ids } = input;
  const contentOf = contentReader(store);
  for (let at = 0; at < ids.length; at += runsAtOnce) {
    const part = ids.slice(at, at + runsAtOnce);
    const rowsOf = (table: string, column: string, keys: readonly number[]): Promise<readonly ForeignRow[]> =>
      keys.length === 0
        ? Promise.resolve([])
        : source.database.all(`select * from ${table} where ${column} in (${keys.map(() => "?").join(", ")}) order by id`, keys);
    const runs = await rowsOf("action_run", "id", part);
    const jobs = await rowsOf("action_run_job", "run_id", part);
    const tasks = await rowsOf(
      "action_task",
      "job_id",
      jobs.map((row) => numberOf(row.id)),
    );
    const taskIds = tasks.map((row) => numberOf(row.id));
    const steps = Map.groupBy(await rowsOf("action_task_step", "task_id", taskIds), (row) => numberOf(row.task_id));
    const outputs = Map.groupBy(await rowsOf("action_task_output", "task_id", taskIds), (row) => numberOf(row.task_id));
    const jobsOfRuns = Map.groupBy(jobs, (row) => numberOf(row.run_id));
    const batch = newBatch();
    for (const row of runs) batch.add("action_runs", await runRow(input, row, jobsOfRuns.get(numberOf(row.id)) ?? [], contentOf));
    const positions = new Map<string, number>();
    for (const row of jobs) {
      const key = `${numberOf(row.run_id)} ${textOf(row.job_id)}`;
      const position = positions.get(key) ?? 0;
      positions.set(key, position + 1);
      const taskId = numberOf(row.task_id);
      batch.add(
        "action_jobs",
        jobRow(plan, row, { position, steps: steps.get(taskId) ?? [], outputs: outputs.get(taskId) ?? [], hasTask: taskIds.includes(taskId) }),
      );
    }
    writes.rows(batch);
    for (const row of tasks)
      await addTask(conversion, input, { row, job: jobs.find(({ id }) => id === row.job_id), steps: steps.get(numberOf(row.id)) ?? [] }, writes);
    report.without("workflow runs that have not ended: they are canceled", runs.filter((row) => !hasEnded(row)).length);
    report.count("workflow runs", runs.length);
    report.count("jobs of workflow runs", jobs.length);
  }
}

type ContentReader = (oid: string, file: string) => Promise<{ readonly path: string; readonly text: string }>;

/** The workflow file of a run, by which later jobs are planned if the run is started again. */
function contentReader(store: GitStore | undefined): ContentReader {
  const known = new Map<string, { readonly path: string; readonly text: string }>();
  return async (oid, file) => {
    const key = `${oid} ${file}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let found = { path: `.gitea/workflows/${file}`, text: "" };
    for (const folder of store === undefined || !/^[0-9a-f]{40,64}$/.test(oid) ? [] : [".gitea/workflows", ".github/workflows"]) {
      const entry = await workflowFileAt(store as GitStore, oid, `${folder}/${file}`);
      const blob = entry && (await readBlob(store as GitStore, entry.oid, maxFileBytes));
      if (blob?.data === undefined) continue;
      found = { path: `${folder}/${file}`, text: blob.data.toString("utf8") };
      break;
    }
    if (known.size > 20) known.clear();
    known.set(key, found);
    return found;
  };
}

/** The name that a workflow declares. */
const nameIn = (text: string): string | undefined =>
  /^name:[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|([^\n#]+))/m
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
    ?.trim();

async function runRow({ plan, known }: RunsInput, row: ForeignRow, jobs: readonly ForeignRow[], contentOf: ContentReader) {
  const [file, oid] = [textOf(row.workflow_id), textOf(row.commit_sha)];
  const { path, text } = await contentOf(oid, file);
  const payload = recordOf(row.event_payload);
  const pull = payload.pull_request as { readonly base?: { readonly ref?: unknown }; readonly head?: { readonly ref?: unknown } } | undefined;
  const inputs = typeof payload.inputs === "object" && payload.inputs !== null ? payload.inputs : {};
  const stopped = millisOrNull(row.stopped) ?? millisOf(row.updated);
  return {
    id: numberOf(row.id),
    repo_id: plan.id,
    number: numberOf(row.index),
    event_id: null,
    cause: null,
    workflow_file: file,
    workflow_path: path,
    workflow_name: (nameIn(text) ?? nameIn(textOf(jobs[0]?.workflow_payload)) ?? path).slice(0, 255),
    content: text,
    title: textOf(row.title).slice(0, 500),
    trigger: textOf(row.trigger_event),
    payload: JSON.stringify(payload),
    inputs: JSON.stringify(inputs),
    ref: textOf(row.ref),
    oid,
    base_ref: typeof pull?.base?.ref === "string" ? pull.base.ref : "",
    head_ref: typeof pull?.head?.ref === "string" ? pull.head.ref : "",
    actor_id: knownId(row.trigger_user_id, known.accounts.kinds),
    is_from_fork: flagOf(row.is_fork_pull_request),
    needs_approval: 0 as const,
    approver_id: knownId(row.approved_by, known.accounts.kinds),
    concurrency_group: textOf(row.concurrency_group) || null,
    cancels_in_progress: flagOf(row.concurrency_cancel),
    status: "done" as const,
    result: resultOf(row),
    problems: "[]",
    attempt: Math.max(1, ...jobs.map((job) => numberOf(job.attempt))),
    created_ms: millisOf(row.created),
    started_ms: millisOrNull(row.started),
    stopped_ms: stopped,
    updated_ms: millisOf(row.updated),
  };
}

interface OfJob {
  readonly position: number;
  readonly steps: readonly ForeignRow[];
  readonly outputs: readonly ForeignRow[];
  readonly hasTask: boolean;
}

const timeoutMs = 360 * 60_000;

function jobRow(plan: RepositoryPlan, row: ForeignRow, { position, steps, outputs, hasTask }: OfJob) {
  const labels = stringsOf(row.runs_on) ?? [];
  return {
    id: numberOf(row.id),
    run_id: numberOf(row.run_id),
    repo_id: plan.id,
    parent_id: null,
    key: textOf(row.job_id),
    position,
    name: textOf(row.name).slice(0, 255),
    needs: JSON.stringify(stringsOf(row.needs) ?? []),
    payload: textOf(row.workflow_payload) || null,
    call: null,
    concurrency_group: null,
    labels: JSON.stringify(labels),
    step_names: JSON.stringify(steps.map((step) => textOf(step.name))),
    first_label: labels[0] ?? "",
    permissions: null,
    timeout_ms: timeoutMs,
    continues_on_error: 0 as const,
    fails_fast: 1 as const,
    max_parallel: null,
    status: "done" as const,
    result: resultOf(row),
    outputs: JSON.stringify(Object.fromEntries(outputs.map((one) => [textOf(one.output_key), textOf(one.output_value)]))),
    queue_rank: 0,
    attempt: numberOf(row.attempt),
    task_id: hasTask ? numberOf(row.task_id) : null,
    created_ms: millisOf(row.created),
    started_ms: millisOrNull(row.started),
    // A job that was skipped has no times.
    stopped_ms: millisOrNull(row.stopped) ?? (hasEnded(row) ? null : millisOf(row.updated)),
  };
}

/** Workflows that users have switched off. */
export async function disabledWorkflows({ source }: Conversion, { id }: RepositoryPlan): Promise<Batch> {
  const batch = newBatch();
  const [unit] = await source.database.all("select config from repo_unit where repo_id = ? and type = ?", [id, actionsUnit]);
  const files = recordOf(unit?.config).DisabledWorkflows;
  for (const file of new Set(Array.isArray(files) ? files.map(String) : []))
    batch.add("action_workflows", {
      repo_id: id,
      file,
      path: `.gitea/workflows/${file}`,
      name: file,
      oid: null,
      triggers: null,
      is_disabled: 1,
      next_run_ms: null,
      scheduler_id: null,
      created_ms: 0,
      updated_ms: 0,
    });
  return batch;
}

const actionsUnit = 10;

interface OfTask {
  readonly row: ForeignRow;
  readonly job: ForeignRow | undefined;
  readonly steps: readonly ForeignRow[];
}

async function addTask(conversion: Conversion, { plan, runners }: RunsInput, { row, job, steps }: OfTask, writes: Writes): Promise<void> {
  if (job === undefined) return;
  const id = numberOf(row.id);
  const runnerId = numberOf(row.runner_id);
  // The row of the task is written before its log and contains its length, so the log is read twice instead of being in memory as a whole.
  let [rows, bytes] = [0, 0];
  if (flagOf(row.log_expired) === 0)
    for await (const { lines } of readTaskLog(conversion, row)) {
      rows += lines.length;
      bytes += lines.reduce((sum, [, text]) => sum + text.length + lineBytes, 0);
    }
  if (flagOf(row.log_expired) === 0 && numberOf(row.log_length) > 0 && rows === 0)
    conversion.report.without("logs of jobs that are missing", `${id} of ${plan.shownAs}`);
  const batch = newBatch();
  const stopped = millisOrNull(row.stopped) ?? millisOf(row.updated);
  batch.add("action_tasks", {
    id,
    job_id: numberOf(row.job_id),
    run_id: numberOf(job.run_id),
    repo_id: plan.id,
    runner_id: runners.names.has(runnerId) ? runnerId : null,
    runner_name: runners.names.get(runnerId) ?? "",
    attempt: numberOf(row.attempt),
    status: "done",
    result: resultOf(row),
    token_hash: null,
    rights: "{}",
    sealed_secrets: null,
    is_reported: 1,
    lease_until_ms: stopped,
    deadline_ms: stopped,
    steps: JSON.stringify(steps.map(stepOf)),
    log_rows: rows,
    log_bytes: bytes,
    is_log_closed: 1,
    created_ms: millisOf(row.created),
    started_ms: millisOrNull(row.started),
    stopped_ms: stopped,
  });
  writes.rows(batch);
  if (rows === 0) return;
  for await (const { firstRow, lines } of readTaskLog({ ...conversion, report: silentReport }, row)) {
    const log = newBatch();
    log.add("action_log_parts", { task_id: id, first_row: firstRow, row_count: lines.length, content: JSON.stringify(lines) });
    writes.rows(log);
  }
}

const stepOf = (row: ForeignRow): Step => ({
  id: numberOf(row.index),
  result: resultOf(row),
  startedMs: millisOrNull(row.started),
  stoppedMs: millisOrNull(row.stopped),
  logIndex: numberOf(row.log_index),
  logLength: numberOf(row.log_length),
});
