import type { Db } from "../../db/db.ts";
import { inTransaction } from "../../events/in-transaction.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { LfsDeps } from "./service/deps.ts";
import { shareObjects } from "./service/share.ts";
import { sweepLfsFiles } from "./service/sweep.ts";

const dayMs = 86_400_000;

/** What is forked or made of a template has the large files that its origin has at that moment: the pointers to them come with the commits. */
export function keepForkedObjects(db: Db): void {
  inTransaction(db, ["repo.forked"], async (tx, events) => {
    for (const { payload } of events) await shareObjects(tx, payload.parentId, payload.repoId);
  });
  inTransaction(db, ["repo.generated"], async (tx, events) => {
    for (const { payload } of events) if (payload.items.includes("git_content")) await shareObjects(tx, payload.templateId, payload.repoId);
  });
}

/** What is done later about large files. */
export function handleLfsJobs(jobs: JobQueue, deps: Pick<LfsDeps, "db" | "lfsFiles" | "clock">): void {
  jobs.schedule({ name: "sweep_lfs", everyMs: dayMs, offsetMs: (dayMs * 3) / 8 }, async () => {
    await sweepLfsFiles(deps);
  });
}
