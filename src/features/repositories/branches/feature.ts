import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { branchRoutes } from "./api/branches.ts";
import { deletedBranchRoutes } from "./api/deleted.ts";
import { referenceRoutes } from "./api/references.ts";
import { tagRoutes } from "./api/tags.ts";
import { keepDeleted, pruneDeletedBranches } from "./service/deleted.ts";
import { branchPages } from "./web/branches.tsx";
import { refNameRoutes } from "./web/lists.ts";
import { rulePages } from "./web/rules.tsx";
import { tagPages } from "./web/tags.tsx";

const dayMs = 86_400_000;

export const branchesFeature = defineFeature({
  name: "repositories/branches",
  routes: [branchRoutes, deletedBranchRoutes, tagRoutes, referenceRoutes, branchPages, tagPages, refNameRoutes, rulePages],
  inTransaction: [beforeCommit(["refs.changed"], keepDeleted)],
  schedules: [{ name: "deleted_branches_cleanup", everyMs: dayMs, offsetMs: dayMs / 8, run: pruneDeletedBranches }],
});
