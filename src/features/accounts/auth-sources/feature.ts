import { defineFeature } from "../../../mount/feature.ts";
import { identityRoutes } from "./api/identities.ts";
import { sourceRoutes } from "./api/sources.ts";
import { syncDirectories } from "./service/sync.ts";
import { adminSourcePages } from "./web/sources.tsx";
import { sourcePages } from "./web.tsx";

const dayMs = 86_400_000;

export const authSourcesFeature = defineFeature({
  name: "accounts/auth-sources",
  routes: [sourceRoutes, identityRoutes, adminSourcePages, sourcePages],
  schedules: [{ name: "sync_external_users", everyMs: dayMs, offsetMs: dayMs / 16, run: syncDirectories }],
});
