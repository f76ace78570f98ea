import type { JobQueue } from "../../../jobs/queue.ts";
import { type SyncDeps, syncDirectories } from "./service/sync.ts";

const dayMs = 86_400_000;

/** What is asked of directories while nobody signs in. */
export function handleSourceJobs(jobs: JobQueue, deps: SyncDeps): void {
  jobs.schedule({ name: "sync_external_users", everyMs: dayMs, offsetMs: dayMs / 16 }, () => syncDirectories(deps));
}
