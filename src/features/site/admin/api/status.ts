import type { Config } from "../../../../config/config.ts";
import { shownConfig } from "../../../../config/shown-config.ts";
import type { Lane } from "../../../../core/lanes.ts";
import type { Db } from "../../../../db/db.ts";
import type { Upkeep } from "../../../../git/maintain/upkeep.ts";
import { siteAdmin } from "../../../../http/access.ts";
import { json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { ServerSetting, ServerStatus } from "../../../../wire/admin.ts";
import type { ServerStatusView } from "../model.ts";
import { presentSetting, presentStatus } from "../present.ts";
import type { Samples } from "../samples.ts";
import { countJobs } from "../service/jobs.ts";

export interface StatusDeps {
  readonly db: Db;
  readonly config: Config;
  readonly samples: Samples;
  readonly upkeep: Upkeep;
  readonly pageLane: Lane;
  readonly readLane: Lane;
  readonly bulkLane: Lane;
  readonly serverDetails: () => ServerStatusView;
}

const common = { tag: "admin", access: siteAdmin, scope: "admin", method: "GET", refusals: { 403: "forbidden" } } as const;

/** Server status and settings. Beyond the contract. */
export const serverStatusRoutes = (deps: StatusDeps): Route[] => [
  defineRoute({
    ...common,
    id: "adminGetStatus",
    path: "/admin/status",
    summary: "Get the server's status and its samples of the last hour",
    answers: json(200, ServerStatus),
    handle: async () => presentStatus({ server: deps.serverDetails(), jobs: await countJobs(deps), samples: deps.samples.list() }),
  }),
  defineRoute({
    ...common,
    id: "adminListSettings",
    path: "/admin/config",
    summary: "List the server's settings and their sources, without secrets",
    answers: list(ServerSetting, "total"),
    handle: ({ page }) => {
      const settings = shownConfig(deps.config);
      return { total: settings.length, items: settings.slice(page.offset, page.offset + page.limit).map(presentSetting) };
    },
  }),
];
