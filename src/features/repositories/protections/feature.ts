import { defineFeature } from "../../../mount/feature.ts";
import { branchProtectionRoutes } from "./api/branches.ts";
import { tagProtectionRoutes } from "./api/tags.ts";

export const protectionsFeature = defineFeature({
  name: "repositories/protections",
  routes: [branchProtectionRoutes, tagProtectionRoutes],
});
