import { shownConfig } from "../../../../config/shown-config.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths as paths } from "../../../../ui/settings.tsx";
import type { StatusDeps } from "../api/status.ts";
import { countJobs, countWaitingStores } from "../service/jobs.ts";
import { countLanes } from "../service/load.ts";
import { ConfigView } from "../views/config.tsx";
import { StatusView } from "../views/status.tsx";
import { adminPage, show } from "./frame.ts";

/** The server's status and settings. */
export const statusPages = (deps: StatusDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "statusPage",
    method: "GET",
    path: paths.status,
    summary: "The server's status and its samples of the last hour",
    handle: async (request) => {
      const [jobs, waiting] = [await countJobs(deps), await countWaitingStores(deps)];
      const upkeep = { ...deps.upkeep.state(), waiting };
      const load = countLanes([deps.pageLane, deps.readLane, deps.bulkLane]);
      return show(request, "status", <StatusView samples={deps.samples.list()} server={deps.serverDetails()} jobs={jobs} upkeep={upkeep} load={load} />);
    },
  }),
  defineRoute({
    ...adminPage,
    id: "configurationPage",
    method: "GET",
    path: paths.config,
    summary: "The server's settings and their sources",
    handle: async (request) => show(request, "config", <ConfigView settings={shownConfig(deps.config)} />),
  }),
];
