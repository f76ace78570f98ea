import { defineFeature } from "../../../mount/feature.ts";
import { downloadRoutes } from "./api/downloads.ts";
import { attachmentRoutes } from "./api/held.ts";
import { pruneUploads } from "./service/uploads.ts";
import { releaseFormPages } from "./web/release-form.tsx";

const dayMs = 86_400_000;

export const attachmentsFeature = defineFeature({
  name: "collaboration/attachments",
  routes: [attachmentRoutes, releaseFormPages, downloadRoutes],
  schedules: [{ name: "sweep_uploads", everyMs: dayMs, offsetMs: dayMs / 12, run: pruneUploads }],
});
