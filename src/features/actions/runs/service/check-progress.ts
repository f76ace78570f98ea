import type { Reader } from "../../../../db/db.ts";
import type { CheckProgress } from "../../../repositories/statuses/model.ts";
import type { RunRow } from "../model.ts";
import { loadJobs } from "../store/jobs.ts";
import { loadRuns } from "../store/runs.ts";

interface Check {
  readonly state: string;
  readonly targetUrl: string;
  /** Undefined: the server itself, or a deleted account. */
  readonly creator: object | undefined;
}

const target = /^\/[^/]+\/[^/]+\/actions\/runs\/(\d{1,15})(?:\/jobs\/(\d{1,15}))?$/;

/**
 * The states of the jobs and runs behind the checks of a commit, by the targets of the checks. Checks of others are missing. At most two
 * statements, and none without checks of this server.
 */
export async function loadCheckProgress(db: Reader, repoId: number, checks: readonly Check[]): Promise<ReadonlyMap<string, CheckProgress>> {
  const own = checks.flatMap(({ state, targetUrl, creator }) => {
    const [, run, job] = creator === undefined ? (target.exec(targetUrl) ?? []) : [];
    return run === undefined ? [] : [{ state, targetUrl, runId: Number(run), jobId: job === undefined ? undefined : Number(job) }];
  });
  const jobs = await loadJobs(
    db,
    repoId,
    own.flatMap(({ jobId }) => jobId ?? []),
  );
  const runs = await loadRuns(
    db,
    repoId,
    own.flatMap(({ jobId, runId }) => (jobId === undefined ? [runId] : [])),
  );
  return new Map(
    own.flatMap(({ state, targetUrl, runId, jobId }) => {
      const run = jobId === undefined ? runs.get(runId) : undefined;
      const work = run ?? jobs.get(jobId ?? 0);
      const progress = run !== undefined && run.problems.length > 0 ? invalid(run) : work && progressOf(work, state);
      return progress === undefined ? [] : [[targetUrl, progress] as const];
    }),
  );
}

const invalid = ({ workflowPath, problems }: RunRow): CheckProgress => ({ state: "invalid", path: workflowPath, mistake: problems[0] });

function progressOf(
  { status, result, startedMs, stoppedMs }: Pick<RunRow, "result" | "startedMs" | "stoppedMs"> & { readonly status: string },
  shown: string,
): CheckProgress {
  // A job with a matrix, whose jobs have checks of their own.
  if (shown === "skipped" && result !== "skipped") return { state: "replaced" };
  if (status !== "done") return { state: status === "running" || status === "blocked" ? status : "waiting" };
  if (result === "success" || result === "failure")
    return { state: result, seconds: startedMs === null ? 0 : Math.max(0, Math.round(((stoppedMs ?? startedMs) - startedMs) / 1_000)) };
  return { state: result ?? "waiting" };
}
