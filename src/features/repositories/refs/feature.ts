import type { Clock } from "../../../core/clock.ts";
import { type SweepReport, sweepStores } from "../../../git/maintain/sweep.ts";
import type { Upkeep, UpkeepTask } from "../../../git/maintain/upkeep.ts";
import type { GitStores } from "../../../git/stores.ts";
import type { JobRun } from "../../../jobs/queue.ts";
import { defineFeature, worksOn } from "../../../mount/feature.ts";
import { checkForgottenStores, checkStore, checkStoreJob } from "./service/health.ts";
import { collectMovedStores, collectStore, collectStoreJob, tidyStore, tidyStoreJob, tidyWrittenStores } from "./service/housekeeping.ts";
import { sweepPackFiles } from "./service/pack-files.ts";
import { dropSetAside, dropSetAsideJob, restoreSetAsideJob, restoreSetAsideOf } from "./service/set-aside.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const tidyEveryMs = 600_000;

export const refsFeature = defineFeature({
  name: "repositories/refs",
  jobs: [
    worksOn(
      tidyStoreJob,
      bounded("tidy", ({ id }) => id, tidyStore),
      "upkeep",
    ),
    worksOn(
      collectStoreJob,
      bounded("collect", ({ storeId }) => storeId, collectStore),
      "upkeep",
    ),
    worksOn(
      checkStoreJob,
      bounded("check", ({ storeId }) => storeId, checkStore),
      "upkeep",
    ),
    worksOn(restoreSetAsideJob, restoreSetAsideOf),
    worksOn(dropSetAsideJob, dropSetAside),
  ],
  schedules: [
    { name: "tidy_stores", everyMs: tidyEveryMs, run: tidyWrittenStores },
    { name: "repo_health_check", everyMs: dayMs, offsetMs: dayMs / 5, run: checkForgottenStores },
    { name: "git_gc_repos", everyMs: 7 * dayMs, offsetMs: dayMs / 4, run: collectMovedStores },
    // A start sweeps the stores that killed processes have written to. Each hour sweeps a part of all stores, so that each one is swept daily.
    { name: "sweep_packs", everyMs: dayMs, offsetMs: dayMs / 6, run: sweepPackFiles },
    { name: "sweep_stores", everyMs: hourMs, offsetMs: hourMs / 2, run: sweepPart },
  ],
});

/** Removes the remains of dead git processes. */
function sweepPart({ git, clock }: { readonly git: GitStores; readonly clock: Clock }): Promise<SweepReport> {
  const nowMs = clock.now();
  return sweepStores(git, nowMs - dayMs, { part: Math.floor(nowMs / hourMs) % 24, parts: 24 });
}

/** A job within the budget of maintenance. */
function bounded<Payload, Deps>(
  kind: UpkeepTask["kind"],
  storeIdOf: (payload: Payload) => number,
  handle: (deps: Deps, run: JobRun<Payload>) => Promise<unknown>,
): (deps: Deps & { readonly upkeep: Upkeep }, run: JobRun<Payload>) => Promise<unknown> {
  return (deps, run) => deps.upkeep.run({ kind, storeId: storeIdOf(run.payload) }, run.signal, () => handle(deps, run));
}
