import { defineFeature } from "../../../mount/feature.ts";
import { emailRoutes } from "./api/emails.ts";
import { followRoutes } from "./api/follows.ts";
import { twoFactorRoutes } from "./api/two-factor.ts";
import { userRoutes } from "./api/users.ts";
import { pruneSignIns } from "./service/throttle.ts";
import { userSettingsPages } from "./web/settings.tsx";

export const usersFeature = defineFeature({
  name: "accounts/users",
  routes: [userRoutes, emailRoutes, twoFactorRoutes, followRoutes, userSettingsPages],
  schedules: [{ name: "forget_failed_sign_ins", everyMs: 600_000, run: pruneSignIns }],
});
