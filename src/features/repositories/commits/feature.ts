import { defineFeature } from "../../../mount/feature.ts";
import { commitRoutes } from "./api.ts";
import { graphPages } from "./web/graph.tsx";
import { historyPages } from "./web.tsx";

export const commitsFeature = defineFeature({
  name: "repositories/commits",
  routes: [commitRoutes, historyPages, graphPages],
});
