import { defineFeature } from "../../../mount/feature.ts";
import { milestoneRoutes } from "./api.ts";
import { milestonePages } from "./web.tsx";

export const milestonesFeature = defineFeature({
  name: "collaboration/milestones",
  routes: [milestoneRoutes, milestonePages],
});
