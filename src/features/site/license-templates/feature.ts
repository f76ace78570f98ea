import { defineFeature } from "../../../mount/feature.ts";
import { templateRoutes } from "./api.ts";

export const licenseTemplatesFeature = defineFeature({
  name: "site/license-templates",
  routes: [templateRoutes],
});
