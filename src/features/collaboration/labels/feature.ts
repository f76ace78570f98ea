import { defineFeature } from "../../../mount/feature.ts";
import { organizationLabelRoutes } from "./api/organization-labels.ts";
import { repositoryLabelRoutes } from "./api/repository-labels.ts";

export const labelsFeature = defineFeature({
  name: "collaboration/labels",
  routes: [organizationLabelRoutes, repositoryLabelRoutes],
});
