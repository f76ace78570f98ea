import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { auditRoutes } from "./api.ts";
import { accessEventTypes } from "./describe.ts";
import { writeEntries } from "./service.ts";

export const auditFeature = defineFeature({
  name: "site/audit",
  routes: [auditRoutes],
  inTransaction: [beforeCommit(accessEventTypes, writeEntries)],
});
