import type { ShownSetting } from "../../../config/shown-config.ts";
import { formatTime, zeroTime } from "../../../core/time.ts";
import type { Badge, Cron, Job, ServerSetting, ServerStatus, StatusSample, StoreProblem } from "../../../wire/admin.ts";
import type { StoreProblem as StoreProblemView } from "../../repositories/refs/model.ts";
import type { BadgeView, JobView, StatusView } from "./model.ts";
import type { Sample } from "./samples.ts";
import type { TaskState } from "./service/schedules.ts";

export const presentBadge = ({ id, slug, description, imageUrl }: BadgeView): Badge => ({ id, slug, description, image_url: imageUrl });

const intervalOf = (everyMs: number): string => `@every ${everyMs % 3_600_000 === 0 ? `${everyMs / 3_600_000}h` : `${everyMs / 60_000}m`}`;

export const presentTask = ({ name, everyMs, nextRunMs, lastRunMs, runs }: TaskState): Cron => ({
  name,
  schedule: everyMs === null ? "-" : intervalOf(everyMs),
  next: nextRunMs === null ? zeroTime : formatTime(nextRunMs),
  prev: lastRunMs === null ? zeroTime : formatTime(lastRunMs),
  exec_times: runs,
});

export const presentJob = ({ id, kind, state, attempts, runAtMs, createdMs, lastError }: JobView): Job => ({
  id,
  kind,
  state,
  attempts,
  run_at: runAtMs === 0 ? zeroTime : formatTime(runAtMs),
  created_at: formatTime(createdMs),
  last_error: lastError ?? "",
});

export const presentStoreProblem = ({ storeId, repository, problem, foundMs }: StoreProblemView & { readonly repository: string }): StoreProblem => ({
  store_id: storeId,
  repository,
  problem,
  found_at: formatTime(foundMs),
});

const presentSample = ({ atMs, memoryBytes, busy, requests, statements, gitProcesses, jobs }: Sample): StatusSample => ({
  at: formatTime(atMs),
  memory_bytes: memoryBytes,
  busy_percent: Math.round(busy * 100),
  requests,
  statements,
  git_processes: gitProcesses,
  jobs,
});

export const presentStatus = ({ server, jobs, samples }: StatusView): ServerStatus => ({
  version: server.version,
  started_at: formatTime(server.startedMs),
  database: server.database,
  git: server.git,
  node: server.node,
  system: server.system,
  data_directory: server.dataDirectory,
  ssh: server.ssh,
  jobs_waiting: jobs.waiting,
  jobs_running: jobs.running,
  jobs_failed: jobs.failed,
  warnings: server.warnings,
  samples: samples.map(presentSample),
});

export const presentSetting = ({ section, name, variable, comment, value, origin }: ShownSetting): ServerSetting => ({
  section,
  name,
  variable,
  description: comment,
  value: value ?? "",
  hidden: value === undefined,
  origin,
});
