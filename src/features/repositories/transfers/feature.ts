import { defineFeature } from "../../../mount/feature.ts";
import { transferRoutes } from "./api.ts";
import { transferPages } from "./web.tsx";

export const transfersFeature = defineFeature({
  name: "repositories/transfers",
  routes: [transferRoutes, transferPages],
});
