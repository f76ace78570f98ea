import { defineFeature } from "../../../mount/feature.ts";
import { secretRoutes } from "./api/secrets.ts";
import { variableRoutes } from "./api/variables.ts";

export const secretsFeature = defineFeature({
  name: "actions/secrets",
  routes: [secretRoutes, variableRoutes],
});
