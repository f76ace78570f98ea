import type { Db } from "../../../../db/db.ts";
import { siteAdmin } from "../../../../http/access.ts";
import { empty, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import type { Schedule } from "../../../../jobs/schedule.ts";
import { Cron } from "../../../../wire/admin.ts";
import { presentTask } from "../present.ts";
import { listTasks, runSchedule } from "../service/schedules.ts";

/** Tasks of the server. */
export function scheduleRoutes(deps: { readonly db: Db; readonly schedules: readonly Schedule[] }): Route[] {
  return [
    defineRoute({
      id: "adminCronList",
      method: "GET",
      path: "/admin/cron",
      tag: "admin",
      summary: "List the server's tasks: those that run on a schedule, and those that run only on request",
      access: siteAdmin,
      scope: "admin",
      answers: list(Cron, "total"),
      refusals: { 403: "forbidden" },
      handle: async ({ page }) => {
        const { items, total } = await listTasks(deps, page);
        return { total, items: items.map(presentTask) };
      },
    }),
    defineRoute({
      id: "adminCronRun",
      method: "POST",
      path: "/admin/cron/{task}",
      tag: "admin",
      summary: "Run a scheduled task",
      access: siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, params }) => runSchedule(deps, actor, params.task),
    }),
  ];
}
