import { shownConfig } from "../../../../config/shown-config.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths as paths } from "../../../../ui/settings.tsx";
import type { StatusDeps } from "../api/status.ts";
import { countJobs } from "../service/jobs.ts";
import { ConfigView } from "../views/config.tsx";
import { StatusView } from "../views/status.tsx";
import { adminPage, show } from "./frame.ts";

/** How the server is, and what it runs with. */
export const statusPages = (deps: StatusDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "statusPage",
    method: "GET",
    path: paths.status,
    summary: "How the server is, and how it was for an hour",
    handle: async (request) => {
      const jobs = await countJobs(deps);
      return show(request, "status", <StatusView samples={deps.samples.list()} server={deps.serverFacts()} jobs={jobs} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "configurationPage",
    method: "GET",
    path: paths.config,
    summary: "The settings that the server runs with, and where they come from",
    handle: async (request) => show(request, "config", <ConfigView settings={shownConfig(deps.config)} />),
  }),
];
