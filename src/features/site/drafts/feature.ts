import { defineFeature } from "../../../mount/feature.ts";
import { draftRoutes } from "./api.ts";
import { pruneDrafts } from "./service/drafts.ts";

const dayMs = 86_400_000;

export const draftsFeature = defineFeature({
  name: "site/drafts",
  routes: [draftRoutes],
  schedules: [{ name: "sweep_drafts", everyMs: dayMs, offsetMs: dayMs / 12, run: pruneDrafts }],
});
