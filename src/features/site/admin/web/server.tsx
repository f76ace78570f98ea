import type { Page } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import type { Schedule } from "../../../../jobs/schedule.ts";
import { administrationPaths as paths } from "../../../../ui/settings.tsx";
import { inPlace } from "../../../../wire/schema.ts";
import type { ServerStatusView } from "../model.ts";
import { loadOverview } from "../service/overview.ts";
import { listSchedules, runSchedule } from "../service/schedules.ts";
import { SchedulesView } from "../views/schedules.tsx";
import { OverviewView } from "../views/server.tsx";
import { adminPage, show, tokenOf } from "./frame.ts";

export interface ServerPageDeps {
  readonly db: Db;
  readonly schedules: readonly Schedule[];
  readonly serverDetails: () => Pick<ServerStatusView, "git" | "isGitOutdated" | "backup" | "logShipping">;
}

const NoFields = inPlace({});
/** More than the server has. */
const allSchedules: Page = { page: 1, limit: 200, offset: 0 };

/** Overview and schedules. */
export const serverPages = (deps: ServerPageDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "administrationPage",
    method: "GET",
    path: paths.overview,
    summary: "Counts, and problems that need attention",
    handle: async (request) => {
      const { git, isGitOutdated, backup, logShipping } = deps.serverDetails();
      const problems = { outdatedGit: isGitOutdated ? git : undefined, backup, log: logShipping };
      return show(request, "overview", <OverviewView {...(await loadOverview(deps))} {...problems} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "schedulesPage",
    method: "GET",
    path: paths.schedules,
    summary: "Scheduled tasks",
    handle: async (request) => {
      const { items } = await listSchedules(deps, allSchedules);
      return show(request, "schedules", <SchedulesView path={paths.schedules} schedules={items} formToken={tokenOf(request)} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "runScheduleByForm",
    method: "POST",
    path: `${paths.schedules}/{task}`,
    summary: "Run a scheduled task now",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await runSchedule(deps, actor, params.task);
      return savedAt(paths.schedules, "started");
    },
  }),
];
