import { afterCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { mirrorRoutes } from "./api.ts";
import { enqueueDuePulls, type MirrorDeps, pull, pullJob } from "./service/pull.ts";
import { enqueueDuePushes, push, pushJob, requestPushes } from "./service/push.ts";
import { mirrorPages } from "./web.tsx";

const lookEveryMs = 10 * 60_000;

export const mirrorsFeature = defineFeature({
  name: "repositories/mirrors",
  routes: [mirrorRoutes, mirrorPages],
  afterCommit: [
    afterCommit("push mirrors", ["refs.changed"], async (deps: Pick<MirrorDeps, "db">, { payload }) => {
      if (payload.isMirrored === true) await requestPushes(deps, payload.repoId, "on-commit");
    }),
  ],
  jobs: [worksOn(pullJob, pull, "mirrors"), worksOn(pushJob, push, "mirrors")],
  schedules: [
    {
      name: "update_mirrors",
      everyMs: lookEveryMs,
      run: async (deps: MirrorDeps) => {
        await enqueueDuePulls(deps);
        await enqueueDuePushes(deps);
      },
    },
  ],
});
