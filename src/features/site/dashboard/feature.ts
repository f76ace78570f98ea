import { defineFeature } from "../../../mount/feature.ts";
import { dashboardPages } from "./web.tsx";

export const dashboardFeature = defineFeature({
  name: "site/dashboard",
  routes: [dashboardPages],
});
