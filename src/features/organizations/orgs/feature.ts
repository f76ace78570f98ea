import { defineFeature } from "../../../mount/feature.ts";
import { organizationRoutes } from "./api.ts";
import { organizationPages } from "./web.tsx";

export const orgsFeature = defineFeature({
  name: "organizations/orgs",
  routes: [organizationRoutes, organizationPages],
});
