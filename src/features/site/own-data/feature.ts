import { defineFeature } from "../../../mount/feature.ts";
import { dataRoutes } from "./api.ts";
import { pruneDataLinks } from "./service/downloads.ts";
import { dataPages } from "./web.tsx";

const dayMs = 86_400_000;

export const ownDataFeature = defineFeature({
  name: "site/own-data",
  routes: [dataRoutes, dataPages],
  schedules: [{ name: "sweep_data_links", everyMs: dayMs, offsetMs: dayMs / 10, run: pruneDataLinks }],
});
