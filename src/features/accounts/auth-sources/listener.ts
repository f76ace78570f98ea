import type { JobQueue } from "../../../jobs/queue.ts";
import { type SyncDeps, syncDirectories } from "./service/sync.ts";

const dayMs = 86_400_000;

/** Registers the periodic job that synchronizes accounts with their directories. */
export function handleSourceJobs(jobs: JobQueue, deps: SyncDeps): void {
  jobs.schedule({ name: "sync_external_users", everyMs: dayMs, offsetMs: dayMs / 16 }, () => syncDirectories(deps));
}
