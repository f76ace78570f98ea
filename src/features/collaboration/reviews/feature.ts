import { afterCommit, defineFeature } from "../../../mount/feature.ts";
import { isDraftTitle } from "../issues/draft.ts";
import { reviewCommentRoutes } from "./api/comments.ts";
import { reviewRequestRoutes } from "./api/requests.ts";
import { reviewRoutes } from "./api/reviews.ts";
import { carryReviews } from "./service/carry.ts";
import type { ReviewDeps } from "./service/find.ts";
import { requestOwners } from "./service/owners.ts";
import { dismissalPages } from "./web/dismissals.ts";
import { reviewPages } from "./web/files.ts";
import { ownCommentPages } from "./web/own-comments.tsx";
import { rangePages } from "./web/ranges.tsx";
import { reviewRequestPages } from "./web/requests.tsx";

export const reviewsFeature = defineFeature({
  name: "collaboration/reviews",
  routes: [reviewRoutes, reviewRequestRoutes, reviewCommentRoutes, ownCommentPages, dismissalPages, reviewRequestPages, reviewPages, rangePages],
  afterCommit: [
    afterCommit("reviews: code owners", ["issue.created", "issue.edited"], async (deps: ReviewDeps, { type, payload }) => {
      const { isPull, title, repoId, number } = payload;
      const wasDraft = "formerTitle" in payload && payload.formerTitle !== undefined && isDraftTitle(payload.formerTitle);
      if (isPull && !isDraftTitle(title) && (type === "issue.created" || wasDraft)) await requestOwners(deps, repoId, number);
    }),
    afterCommit("reviews: moved heads", ["pull.synchronized"], (deps: ReviewDeps, { payload }) => carryReviews(deps, payload)),
  ],
});
