import type { Clock } from "../../../core/clock.ts";
import { sweepStores } from "../../../git/maintain/sweep.ts";
import type { GitStores } from "../../../git/stores.ts";
import { defineFeature, worksOn } from "../../../mount/feature.ts";
import { checkForgottenStores, checkStore, checkStoreJob } from "./service/health.ts";
import { collectMovedStores, collectStore, collectStoreJob, tidyStore, tidyStoreJob, tidyWrittenStores } from "./service/housekeeping.ts";
import { dropSetAside, dropSetAsideJob, restoreSetAsideJob, restoreSetAsideOf } from "./service/set-aside.ts";

const dayMs = 86_400_000;
const tidyEveryMs = 600_000;

export const refsFeature = defineFeature({
  name: "repositories/refs",
  jobs: [
    worksOn(tidyStoreJob, tidyStore),
    worksOn(collectStoreJob, collectStore),
    worksOn(checkStoreJob, checkStore),
    worksOn(restoreSetAsideJob, restoreSetAsideOf),
    worksOn(dropSetAsideJob, dropSetAside),
  ],
  schedules: [
    { name: "tidy_stores", everyMs: tidyEveryMs, run: tidyWrittenStores },
    { name: "repo_health_check", everyMs: dayMs, offsetMs: dayMs / 5, run: checkForgottenStores },
    { name: "git_gc_repos", everyMs: 7 * dayMs, offsetMs: dayMs / 4, run: collectMovedStores },
    // A start sweeps what is older than its process. A server that runs for months also sweeps what dead git processes left.
    {
      name: "sweep_stores",
      everyMs: dayMs,
      offsetMs: dayMs / 6,
      run: ({ git, clock }: { readonly git: GitStores; readonly clock: Clock }) => sweepStores(git, clock.now() - dayMs),
    },
  ],
});
