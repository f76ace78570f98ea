import { defineFeature } from "../../../mount/feature.ts";
import { statusRoutes } from "./api.ts";

export const statusesFeature = defineFeature({
  name: "repositories/statuses",
  routes: [statusRoutes],
});
