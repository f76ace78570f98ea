import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import type { Dispatcher } from "../events/dispatcher.ts";
import type { Route } from "../http/route.ts";
import type { Feature, Queues } from "./feature.ts";

/** All routes, in the order of the features. */
export const mountRoutes = <Deps>(features: readonly Feature<Deps>[], deps: Deps): readonly Route[] =>
  features.flatMap(({ routes = [] }) => routes.flatMap((route) => route(deps)));

/** Handlers that run before COMMIT. The server registers them, and so does every command that changes the database. */
export function registerTransactionHandlers(features: readonly Pick<Feature<never>, "inTransaction" | "isActive">[], db: Db, config: Config): void {
  for (const { inTransaction = [] } of activeOf(features, config)) for (const handler of inTransaction) handler.register(db);
}

/** Work after COMMIT: event handlers, jobs and schedules. Called before the dispatcher and the queues start. */
export function registerBackground<Deps>(
  features: readonly Feature<Deps>[],
  { dispatcher, queues }: { readonly dispatcher: Dispatcher; readonly queues: Queues },
  deps: Deps & { readonly config: Config },
): void {
  for (const { afterCommit = [], jobs = [], schedules = [] } of activeOf(features, deps.config)) {
    for (const handler of afterCommit) handler.register(dispatcher, deps);
    for (const worker of jobs) worker.register(queues, deps);
    for (const { run, ...schedule } of schedules) queues.default.schedule(schedule, async () => void (await run(deps)));
  }
}

const activeOf = <Part extends Pick<Feature<never>, "isActive">>(features: readonly Part[], config: Config): readonly Part[] =>
  features.filter(({ isActive = () => true }) => isActive(config));
