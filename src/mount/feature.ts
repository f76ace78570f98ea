import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import type { Dispatcher, EventHandler } from "../events/dispatcher.ts";
import type { DispatchedType, EventType, RecordedEvent } from "../events/events.ts";
import { type InTransaction, inTransaction } from "../events/in-transaction.ts";
import type { Route } from "../http/route.ts";
import type { Job } from "../jobs/job.ts";
import type { JobHandler, JobQueue, JobRun } from "../jobs/queue.ts";
import type { Schedule } from "../jobs/schedule.ts";

/** The queues of a process. Work that waits, for other hosts or for a budget, has a queue of its own, so that it delays nothing else. */
export type QueueName = "default" | "actions" | "webhooks" | "mirrors" | "migrations" | "upkeep";
export type Queues = Readonly<Record<QueueName, JobQueue>>;

/** Runs before COMMIT, in the transaction that records the event. */
export interface TransactionHandler {
  readonly name: string;
  readonly types: readonly EventType[];
  register(db: Db): void;
}

/** Runs after COMMIT, at least once for each event. */
export interface AfterCommitHandler<in Deps> {
  /** Appears in the log. */
  readonly name: string;
  readonly types: readonly DispatchedType[];
  register(dispatcher: Dispatcher, deps: Deps): void;
}

export interface JobWorker<in Deps> {
  readonly kind: string;
  readonly queue: QueueName;
  register(queues: Queues, deps: Deps): void;
}

export interface ScheduledWork<in Deps> extends Schedule {
  readonly run: (deps: Deps) => Promise<unknown>;
}

/**
 * Everything that a feature mounts in the server. A feature exports one from its `feature.ts`, and `app/features.ts` lists them.
 * `Deps` is the intersection of the dependencies of its parts; the server's context satisfies it.
 */
export interface Feature<in Deps> {
  /** Group and folder, as in `tools/layers.ts`: `collaboration/issues`. */
  readonly name: string;
  /** API operations, pages and all other HTTP routes. */
  readonly routes?: readonly ((deps: Deps) => readonly Route[])[];
  readonly inTransaction?: readonly TransactionHandler[];
  readonly afterCommit?: readonly AfterCommitHandler<Deps>[];
  readonly jobs?: readonly JobWorker<Deps>[];
  readonly schedules?: readonly ScheduledWork<Deps>[];
  /** Whether the handlers, jobs and schedules run with this configuration. Routes are always mounted. Default: yes. */
  readonly isActive?: (config: Config) => boolean;
}

type RouteFactory<in Deps> = (deps: Deps) => readonly Route[];

/** The dependencies of one part, as the parameter of a function: the parts' parameters intersect. */
type Needs<Part> = Part extends (deps: infer Deps) => readonly Route[]
  ? (deps: Deps) => void
  : Part extends { register(target: never, deps: infer Deps): void }
    ? (deps: Deps) => void
    : Part extends { run(deps: infer Deps): Promise<unknown> }
      ? (deps: Deps) => void
      : never;

/** The intersection of the dependencies of all parts. */
type DepsOf<Part> = Needs<Part> extends (deps: infer Deps) => void ? Deps : never;

/** Declares a feature. The type of its dependencies follows from its parts. */
export function defineFeature<
  Routes extends RouteFactory<never> = never,
  Handlers extends AfterCommitHandler<never> = never,
  Workers extends JobWorker<never> = never,
  Works extends ScheduledWork<never> = never,
>(feature: {
  readonly name: string;
  readonly routes?: readonly Routes[];
  readonly inTransaction?: readonly TransactionHandler[];
  readonly afterCommit?: readonly Handlers[];
  readonly jobs?: readonly Workers[];
  readonly schedules?: readonly Works[];
  readonly isActive?: (config: Config) => boolean;
}): Feature<DepsOf<Routes | Handlers | Workers | Works>> {
  return feature as unknown as Feature<DepsOf<Routes | Handlers | Workers | Works>>;
}

/** @param handler its function name appears in docs/events.md */
export const beforeCommit = <Type extends EventType>(types: readonly Type[], handler: InTransaction<Type>): TransactionHandler => ({
  name: handler.name,
  types,
  register: (db) => void inTransaction(db, types, handler),
});

export const afterCommit = <Type extends DispatchedType, Deps>(
  name: string,
  types: readonly Type[],
  handle: (deps: Deps, event: RecordedEvent<Type>) => Promise<unknown>,
): AfterCommitHandler<Deps> => ({
  name,
  types,
  register(dispatcher, deps) {
    const handler: EventHandler<Type> = async (event) => void (await handle(deps, event));
    dispatcher.on(name, types, handler);
  },
});

export const worksOn = <Payload, Deps>(
  job: Job<Payload>,
  handle: (deps: Deps, run: JobRun<Payload>) => Promise<unknown>,
  queue: QueueName = "default",
): JobWorker<Deps> => ({
  kind: job.kind,
  queue,
  register(queues, deps) {
    const handler: JobHandler<Payload> = async (run) => void (await handle(deps, run));
    queues[queue].handle(job, handler);
  },
});
