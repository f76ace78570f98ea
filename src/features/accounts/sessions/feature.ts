import { defineFeature } from "../../../mount/feature.ts";
import { sessionRoutes } from "./api.ts";
import { pruneSessions } from "./service/sessions.ts";
import { accountPages } from "./web/account.tsx";
import { tokenPages } from "./web/tokens.tsx";
import { twoFactorPages } from "./web/two-factor.tsx";
import { sessionPages } from "./web.tsx";

const dayMs = 86_400_000;

export const sessionsFeature = defineFeature({
  name: "accounts/sessions",
  routes: [sessionRoutes, accountPages, twoFactorPages, tokenPages, sessionPages],
  schedules: [{ name: "sweep_sessions", everyMs: dayMs, offsetMs: dayMs / 12, run: pruneSessions }],
});
