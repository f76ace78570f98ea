import { formatTime, zeroTime } from "../../core/time.ts";
import type { Badge, Cron, Job, StoreProblem } from "../../wire/admin.ts";
import type { StoreProblem as StoreProblemView } from "../refs/view.ts";
import type { BadgeView, JobView } from "./view.ts";

export const presentBadge = ({ id, slug, description, imageUrl }: BadgeView): Badge => ({ id, slug, description, image_url: imageUrl });

interface Scheduled {
  readonly name: string;
  readonly everyMs: number;
  readonly nextRunMs: number;
  readonly lastRunMs: number | null;
  readonly runs: number;
}

export const presentSchedule = ({ name, everyMs, nextRunMs, lastRunMs, runs }: Scheduled): Cron => ({
  name,
  schedule: `@every ${everyMs % 3_600_000 === 0 ? `${everyMs / 3_600_000}h` : `${everyMs / 60_000}m`}`,
  next: formatTime(nextRunMs),
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
