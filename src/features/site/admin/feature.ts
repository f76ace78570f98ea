import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { badgeRoutes } from "./api/badges.ts";
import { jobRoutes } from "./api/jobs.ts";
import { scheduleRoutes } from "./api/schedules.ts";
import { serverStatusRoutes } from "./api/status.ts";
import { storeProblemRoutes } from "./api/store-problems.ts";
import { adminUserRoutes } from "./api/users.ts";
import { noticeEvents, pruneNotices, writeNotices } from "./notices/service.ts";
import { noticePages } from "./notices/web.tsx";
import { selfCheckPages } from "./self-check/web.tsx";
import { auditPages } from "./web/audit.tsx";
import { deleteAccountPages } from "./web/delete-account.tsx";
import { adminEmailPages } from "./web/emails.tsx";
import { jobPages } from "./web/jobs.tsx";
import { organizationAuditPages } from "./web/organization-audit.tsx";
import { adminListPages } from "./web/organizations-and-repositories.tsx";
import { serverPages } from "./web/server.tsx";
import { statusPages } from "./web/status.tsx";
import { adminUserPages } from "./web/users.tsx";

const dayMs = 86_400_000;

export const adminFeature = defineFeature({
  name: "site/admin",
  routes: [
    adminUserRoutes,
    deleteAccountPages,
    adminUserPages,
    adminEmailPages,
    adminListPages,
    serverPages,
    noticePages,
    selfCheckPages,
    auditPages,
    organizationAuditPages,
    serverStatusRoutes,
    statusPages,
    badgeRoutes,
    jobRoutes,
    jobPages,
    scheduleRoutes,
    storeProblemRoutes,
  ],
  inTransaction: [beforeCommit(noticeEvents, writeNotices)],
  schedules: [{ name: "delete_old_system_notices", everyMs: dayMs, offsetMs: dayMs / 8, run: pruneNotices }],
});
