import type { Page } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import type { Schedule } from "../../../../jobs/schedule.ts";
import { administrationPaths as paths } from "../../../../ui/settings.tsx";
import { inPlace } from "../../../../wire/schema.ts";
import { listAudit } from "../../audit/service.ts";
import type { ServerStatusView } from "../model.ts";
import { loadOverview } from "../service/overview.ts";
import { listSchedules, runSchedule } from "../service/schedules.ts";
import { AuditView } from "../views/audit.tsx";
import { SchedulesView } from "../views/schedules.tsx";
import { OverviewView } from "../views/server.tsx";
import { adminPage, show, tokenOf } from "./frame.ts";

export interface ServerPageDeps {
  readonly db: Db;
  readonly schedules: readonly Schedule[];
  readonly serverFacts: () => Pick<ServerStatusView, "git" | "isGitOutdated">;
}

const NoFields = inPlace({});
/** More than the server has. */
const allSchedules: Page = { page: 1, limit: 200, offset: 0 };

/** What goes on in the server. */
export const serverPages = (deps: ServerPageDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "administrationPage",
    method: "GET",
    path: paths.overview,
    summary: "What is here, and what needs attention",
    handle: async (request) => {
      const { git, isGitOutdated } = deps.serverFacts();
      return show(request, "overview", <OverviewView {...(await loadOverview(deps))} outdatedGit={isGitOutdated ? git : undefined} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "schedulesPage",
    method: "GET",
    path: paths.schedules,
    summary: "What the server does at regular times",
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
    summary: "Do now what is done at regular times",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await runSchedule(deps, actor, params.task);
      return savedAt(paths.schedules);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "auditPage",
    method: "GET",
    path: paths.audit,
    summary: "Who changed whose access",
    query: {
      actor: query.text("Only what this user did"),
      account: query.text("Only what is about the access of this user"),
      action: query.text("Only entries of this action"),
      cursor: query.integer("Where older entries begin"),
    },
    handle: async (request) => {
      const { actor = "", account = "", action = "", cursor } = request.query;
      const wanted = { actor, account, action: action || undefined, cursor, limit: request.page.limit };
      const { entries, next } = await listAudit(deps, request.actor, wanted);
      const props = { path: paths.audit, entries, filter: { actor, account, action }, next };
      return show(request, "audit", <AuditView {...props} />);
    },
  }),
];
