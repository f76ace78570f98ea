import { defineFeature } from "../../../mount/feature.ts";
import { sweepFiles } from "./service/upkeep.ts";

const dayMs = 86_400_000;

export const blobsFeature = defineFeature({
  name: "site/blobs",
  schedules: [{ name: "sweep_files", everyMs: dayMs, offsetMs: dayMs / 3, run: sweepFiles }],
});
