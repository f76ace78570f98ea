import { defineFeature } from "../../../mount/feature.ts";
import { applicationRoutes } from "./api/applications.ts";
import { oauthEndpoints } from "./api/endpoints.ts";
import { pruneTokens } from "./service/tokens.ts";
import { applicationPages } from "./web/applications.tsx";
import { oauthPages } from "./web/consent.tsx";

const dayMs = 86_400_000;

export const oauth2Feature = defineFeature({
  name: "accounts/oauth2",
  routes: [applicationRoutes, oauthEndpoints, oauthPages, applicationPages],
  schedules: [{ name: "sweep_application_tokens", everyMs: dayMs, offsetMs: dayMs / 12, run: pruneTokens }],
});
