import { defineFeature } from "../../../mount/feature.ts";
import { forkRoutes } from "./api.ts";
import { forkPages } from "./web.tsx";

export const forksFeature = defineFeature({
  name: "repositories/forks",
  routes: [forkRoutes, forkPages],
});
