import { afterCommit, beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { issueRoutes } from "./api/issues.ts";
import { commentRoutes } from "./conversation/api.ts";
import { issueEditPages } from "./conversation/web/edit.tsx";
import { versionPages } from "./conversation/web/versions.tsx";
import { followRenames } from "./development/service.ts";
import { developmentPages } from "./development/web.tsx";
import { issueLinkRoutes } from "./links/api.ts";
import { milestonePlanPages } from "./milestone/web.tsx";
import { issuePlanRoutes } from "./planning/api.ts";
import { bulkPages } from "./planning/web/bulk.tsx";
import { labelPages } from "./planning/web/labels.tsx";
import { planPages } from "./planning/web/plan.tsx";
import { reactionRoutes } from "./reactions/api.ts";
import { type CommitReferenceDeps, noteCommits } from "./references/service/commit-references.ts";
import { locateCommits, locateCommitsJob } from "./references/service/locate-commits.ts";
import { issueSearchRoutes } from "./search/api/search.ts";
import { suggestionRoutes } from "./search/web.ts";
import { taskPages } from "./tasks/web.tsx";
import { issueTemplateRoutes } from "./templates/api.ts";
import { timeRoutes } from "./times/api.ts";
import { newIssuePages } from "./web/new-issue.tsx";
import { issuePages } from "./web.tsx";

export const issuesFeature = defineFeature({
  name: "collaboration/issues",
  routes: [
    labelPages,
    issueSearchRoutes,
    issueRoutes,
    issuePlanRoutes,
    commentRoutes,
    reactionRoutes,
    issueLinkRoutes,
    timeRoutes,
    issueTemplateRoutes,
    issuePages,
    milestonePlanPages,
    bulkPages,
    newIssuePages,
    planPages,
    suggestionRoutes,
    versionPages,
    issueEditPages,
    taskPages,
    developmentPages,
  ],
  jobs: [worksOn(locateCommitsJob, locateCommits)],
  inTransaction: [beforeCommit(["refs.changed"], followRenames)],
  afterCommit: [
    afterCommit("issues: pushed commits", ["refs.changed"], (deps: CommitReferenceDeps, { payload, actorId }) => noteCommits(deps, payload, actorId)),
  ],
});
