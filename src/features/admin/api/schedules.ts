import type { Db } from "../../../db/db.ts";
import { siteAdmin } from "../../../http/access.ts";
import { empty, list } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import type { Schedule } from "../../../jobs/schedule.ts";
import { Cron } from "../../../wire/admin.ts";
import { presentSchedule } from "../present.ts";
import { listSchedules, runSchedule } from "../service/schedules.ts";

/** What the server does at regular times. */
export function scheduleRoutes(deps: { readonly db: Db; readonly schedules: readonly Schedule[] }): Route[] {
  return [
    defineRoute({
      id: "adminCronList",
      method: "GET",
      path: "/admin/cron",
      tag: "admin",
      summary: "What the server does at regular times",
      access: siteAdmin,
      scope: "admin",
      answers: list(Cron, "total"),
      refusals: { 403: "forbidden" },
      handle: async ({ page }) => {
        const { items, total } = await listSchedules(deps, page);
        return { total, items: items.map(presentSchedule) };
      },
    }),
    defineRoute({
      id: "adminCronRun",
      method: "POST",
      path: "/admin/cron/{task}",
      tag: "admin",
      summary: "Do one of these things now",
      access: siteAdmin,
      scope: "admin",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, params }) => runSchedule(deps, actor, params.task),
    }),
  ];
}
