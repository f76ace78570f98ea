import { defineFeature, worksOn } from "../../../mount/feature.ts";
import { collaboratorRoutes } from "./api/collaborators.ts";
import { deletedRepositoryRoutes } from "./api/deleted.ts";
import { descriptionRoutes } from "./api/descriptions.ts";
import { repositoryListRoutes } from "./api/lists.ts";
import { repositoryRoutes } from "./api/repositories.ts";
import { starAndWatchRoutes } from "./api/stars-and-watches.ts";
import { describeContentJob } from "./service/content-job.ts";
import { type DescribeContentDeps, describeContent } from "./service/describe-content.ts";
import { recountFiles } from "./service/sizes.ts";
import { removeStore, removeStoreJob, type SweepDeps, sweepRepositories } from "./service/sweep.ts";
import { newRepositoryPages } from "./web/create.tsx";
import { ownDeletedPages } from "./web/deleted.tsx";
import { repositorySettingsPages } from "./web/settings.tsx";
import { starAndWatchPages } from "./web/stars-and-watches.tsx";
import { repositoryPages } from "./web.tsx";

const dayMs = 86_400_000;

export const reposFeature = defineFeature({
  name: "repositories/repos",
  routes: [
    repositoryRoutes,
    deletedRepositoryRoutes,
    repositoryListRoutes,
    repositoryPages,
    newRepositoryPages,
    repositorySettingsPages,
    ownDeletedPages,
    descriptionRoutes,
    collaboratorRoutes,
    starAndWatchRoutes,
    starAndWatchPages,
  ],
  jobs: [
    worksOn(describeContentJob, (deps: DescribeContentDeps, run) => describeContent(deps, run.payload.repoId, run)),
    worksOn(removeStoreJob, (deps: SweepDeps, run) => removeStore(deps, run.payload.storeId)),
  ],
  schedules: [
    { name: "sweep_repositories", everyMs: dayMs, offsetMs: dayMs / 6, run: sweepRepositories },
    { name: "check_repo_stats", everyMs: dayMs, offsetMs: dayMs / 9, run: recountFiles },
  ],
});
