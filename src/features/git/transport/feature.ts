import { defineFeature } from "../../../mount/feature.ts";
import { transportRoutes } from "./api/git.ts";

export const transportFeature = defineFeature({
  name: "git/transport",
  routes: [transportRoutes],
});
