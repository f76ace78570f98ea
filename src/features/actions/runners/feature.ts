import { defineFeature } from "../../../mount/feature.ts";
import { runnerRoutes } from "./api.ts";
import { actionsSettingsPages } from "./web.tsx";

export const runnersFeature = defineFeature({
  name: "actions/runners",
  routes: [runnerRoutes, actionsSettingsPages],
});
