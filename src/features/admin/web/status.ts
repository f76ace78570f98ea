import { h } from "preact";
import type { Config } from "../../../config/config.ts";
import { shownConfig } from "../../../config/shown-config.ts";
import type { Db } from "../../../db/db.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { administrationPaths as paths } from "../../../ui/settings.ts";
import type { Samples } from "../samples.ts";
import { countJobs } from "../service/jobs.ts";
import type { ServerFacts } from "../view.ts";
import { ConfigView } from "../views/config.ts";
import { StatusView } from "../views/status.ts";
import { adminPage, show } from "./frame.ts";

export interface StatusPageDeps {
  readonly db: Db;
  readonly config: Config;
  readonly samples: Samples;
  readonly serverFacts: () => ServerFacts;
}

/** How the server is, and what it runs with. */
export const statusPages = (deps: StatusPageDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "statusPage",
    method: "GET",
    path: paths.status,
    summary: "How the server is, and how it was for an hour",
    handle: async (request) => {
      const jobs = await countJobs(deps);
      return show(request, "status", h(StatusView, { samples: deps.samples.list(), server: deps.serverFacts(), jobs }));
    },
  }),
  defineRoute({
    ...adminPage,
    id: "configurationPage",
    method: "GET",
    path: paths.config,
    summary: "The settings that the server runs with, and where they come from",
    handle: async (request) => show(request, "config", h(ConfigView, { settings: shownConfig(deps.config) })),
  }),
];
