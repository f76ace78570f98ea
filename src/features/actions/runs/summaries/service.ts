import { malformed, tooLarge, unavailable } from "../../../../core/errors.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { WorkflowLanguage } from "../language/pool.ts";
import type { JobRow, TaskRow } from "../model.ts";
import { hideText, type Masks } from "../service/masks.ts";
import { requireRunning } from "../service/task-token.ts";
import { findJob } from "../store/jobs.ts";
import { findPayload } from "../store/queue.ts";
import { deleteSummaries, deleteSummary, listOldSummaries, listSummaries, putSummary, sumBytes, sumOtherBytes } from "./store.ts";

/** The limit of one step, as on GitHub, and of all steps of a job together, as on Gitea. */
export const maxSummaryBytes = 1024 * 1024;
/** The page of a run shows at most this many. */
const maxShownBytes = 1024 * 1024;

export interface SummaryDeps {
  readonly db: Db;
  readonly logMasks: Masks;
  readonly workflowLanguage: WorkflowLanguage;
}

const withoutStep = (step: string) => malformed(`the job has no step "${step.slice(0, 100)}": send its index, which counts from 0, or its id`);

/**
 * Stores the summary of a step, in place of a former one. An empty one deletes it. Secrets are masked.
 * @param step its index, or its id
 * @returns its size in bytes
 * @throws ForgeError `malformed` for an unknown step, `too_large`, `unauthenticated` if the job has ended
 */
export async function storeSummary(deps: SummaryDeps, task: TaskRow, step: string, given: Buffer): Promise<number> {
  const index = await indexOf(deps, task, step);
  // PostgreSQL stores no U+0000.
  const content = await hideText(given.toString("utf8").replaceAll("\0", ""), await deps.logMasks(task));
  const sizeBytes = Buffer.byteLength(content);
  await deps.db.tx(async (tx) => {
    await requireRunning(tx, task.id);
    if (sizeBytes === 0) await deleteSummary(tx, task.id, index);
    else {
      if (sizeBytes + (await sumOtherBytes(tx, task.id, index)) > maxSummaryBytes)
        throw tooLarge(`the summaries of a job may have at most ${maxSummaryBytes} bytes together`);
      await putSummary(tx, task.id, index, { content, sizeBytes });
    }
  });
  return sizeBytes;
}

/** Steps without an id have their index in its place, as in the stock runner. */
async function indexOf(deps: SummaryDeps, task: TaskRow, step: string): Promise<number> {
  const job = await findJob(deps.db, task.repoId, task.jobId);
  if (/^\d{1,4}$/.test(step) && Number(step) < (job?.stepNames.length ?? 0)) return Number(step);
  const content = await findPayload(deps.db, task.jobId);
  const outcome = await deps.workflowLanguage.run({ kind: "steps", text: content?.payload ?? "" });
  if (outcome.kind !== "done") throw unavailable("the steps of the job cannot be read at the moment", { meta: { reason: outcome.reason } });
  const ids = "value" in outcome.value ? outcome.value.value : {};
  if (!Object.hasOwn(ids, step)) throw withoutStep(step);
  return Number(ids[step]);
}

export interface JobSummary {
  readonly job: JobRow;
  /** Markdown, by step; undefined: too large for the page of the run. */
  readonly texts: readonly string[] | undefined;
}

/** The summaries of the present tasks of jobs, as many as a page shows. Two statements. */
export async function summariesOf(deps: { readonly db: Reader }, jobs: readonly JobRow[]): Promise<readonly JobSummary[]> {
  const sizes = await sumBytes(
    deps.db,
    jobs.flatMap(({ taskId }) => taskId ?? []),
  );
  if (sizes.size === 0) return [];
  let shownBytes = 0;
  const written = jobs.flatMap((job) => {
    const size = sizes.get(job.taskId ?? 0);
    if (size === undefined) return [];
    const isShown = shownBytes + size <= maxShownBytes;
    if (isShown) shownBytes += size;
    return [{ job, isShown }];
  });
  const texts = await listSummaries(
    deps.db,
    written.flatMap(({ job, isShown }) => (isShown ? (job.taskId ?? []) : [])),
  );
  return written.map(({ job, isShown }) => ({ job, texts: isShown ? (texts.get(job.taskId ?? 0) ?? []) : undefined }));
}

const batch = 100;

/** Deletes the summaries of jobs that were written before a time, a few at a time. */
export async function dropSummaries(db: Db, beforeMs: number): Promise<void> {
  for (let ids = await listOldSummaries(db, beforeMs, batch); ids.length > 0; ids = await listOldSummaries(db, beforeMs, batch)) {
    const found = ids;
    await db.tx((tx) => deleteSummaries(tx, found));
  }
}
