import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { adminPage, show } from "../web/frame.ts";
import { checkSelf, type SelfCheckDeps } from "./service.ts";
import { SelfCheckView } from "./views.tsx";

/** The self-check of the server. */
export const selfCheckPages = (deps: SelfCheckDeps): Route[] => [
  defineRoute({
    ...adminPage,
    id: "selfCheckPage",
    method: "GET",
    path: administrationPaths.selfCheck,
    summary: "Checks of the environment and the configuration",
    handle: async (request) => show(request, "selfCheck", <SelfCheckView results={await checkSelf(deps, `${request.headers.host ?? ""}`)} />),
  }),
];
