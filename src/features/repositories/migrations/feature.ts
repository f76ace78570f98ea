import { defineFeature, worksOn } from "../../../mount/feature.ts";
import { migrationRoutes } from "./api.ts";
import { migrateJob, runMigration } from "./service/run.ts";
import { forgetEnded } from "./service/watch.ts";
import { migrationPages } from "./web.tsx";

const dayMs = 86_400_000;

export const migrationsFeature = defineFeature({
  name: "repositories/migrations",
  routes: [migrationRoutes, migrationPages],
  jobs: [worksOn(migrateJob, runMigration, "migrations")],
  schedules: [{ name: "forget_ended_migrations", everyMs: dayMs, run: forgetEnded }],
});
