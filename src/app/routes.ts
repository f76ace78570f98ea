import { metaRoutes } from "../features/meta/api.ts";
import { repositoryRoutes } from "../features/repos/api/repositories.ts";
import { transportRoutes } from "../features/transport/api.ts";
import { userRoutes } from "../features/users/api.ts";
import type { HttpMetrics } from "../http/metrics.ts";
import type { Route } from "../http/route.ts";
import type { Context } from "./context.ts";

/** Every route of the server, in the order of the features. */
export function allRoutes(context: Context & { readonly metrics: HttpMetrics }): readonly Route[] {
  const routes: Route[] = [];
  routes.push(...userRoutes(context), ...repositoryRoutes(context), ...transportRoutes(context), ...metaRoutes(context, () => routes));
  return routes;
}
