import { availableParallelism } from "node:os";
import type { Config } from "../config/config.ts";
import { createBudget } from "../core/budget.ts";
import { type ClassCounts, callerClasses, createLane, type Lane, type LaneRules } from "../core/lanes.ts";
import { defaultLanes, type LaneBounds } from "../git/run/runner.ts";
import type { LabelledValue, MetricSource } from "../http/metrics.ts";
import type { Context } from "./context.ts";

/** Limits of the git processes of each kind. */
export function processLanesOf({ git }: Config): LaneBounds {
  const lanes = defaultLanes();
  const bounded = (lane: LaneBounds["read"], total: number) => ({
    ...lane,
    waitMs: git.max_wait_ms,
    ...(total > 0 && { total, perStore: Math.max(1, Math.ceil(total / 2)) }),
  });
  return { ...lanes, read: bounded(lanes.read, git.max_reads), transfer: bounded(lanes.transfer, git.max_transfers) };
}

/** Usual reads are short, and partly wait for the database. */
const readsPerPlace = 4;
/** Reads of programs at once, besides those of anonymous callers. One thread serves them, so more would not be faster. */
const programReads = 16;
/** A download needs little work after its start, however long it takes. */
const downloadMs = 250;
/** One for each class. */
const leastPlaces = 3;

const budgetWindowMs = 10 * 60_000;

export type RequestLanes = Pick<Context, "pageLane" | "readLane" | "bulkLane">;

/**
 * The lanes of requests (docs/overload.md). They have as many places as there are git processes of the kind, so that a request with a
 * place does not wait for a process for long.
 */
export function requestLanesOf(config: Config): RequestLanes {
  const { read, transfer } = processLanesOf(config);
  const anonymous = config.limits.anonymous_places || Math.max(1, availableParallelism() >> 1);
  const { account_budget_seconds, anonymous_budget_seconds } = config.limits;
  const ofAccounts = createBudget({ allowedMs: account_budget_seconds * 1_000, windowMs: budgetWindowMs });
  const unlimited = createBudget({ allowedMs: 0, windowMs: budgetWindowMs });
  const budgets = {
    interactive: ofAccounts,
    automated: ofAccounts,
    anonymous: createBudget({ allowedMs: anonymous_budget_seconds * 1_000, windowMs: budgetWindowMs }),
  };
  const lane = (processes: number): Lane => {
    const places = Math.max(leastPlaces, processes);
    return createLane({ ...rulesOf(places, Math.min(anonymous, places - 2), config.git.max_wait_ms), budgets });
  };
  const anonymousReads = readsPerPlace * anonymous;
  return {
    pageLane: lane(read.total),
    readLane: createLane({
      ...rulesOf(anonymousReads + programReads + 1, anonymousReads, config.git.max_wait_ms),
      streamMs: downloadMs,
      // The budget of an account is for expensive requests. Programs may send many cheap ones.
      budgets: { ...budgets, automated: unlimited },
    }),
    bulkLane: lane(transfer.total),
  };
}

/** Counts of the lanes by class of callers. */
export function laneMetrics(lanes: RequestLanes): readonly MetricSource[] {
  const byClass = (count: (counts: ClassCounts) => number) => (): LabelledValue[] =>
    [["page", lanes.pageLane] as const, ["read", lanes.readLane] as const, ["bulk", lanes.bulkLane] as const].flatMap(([lane, { counts }]) =>
      callerClasses.map((kind) => ({ labels: { lane, class: kind }, value: count(counts(kind)) })),
    );
  return [
    { name: "hearth_lane_working", help: "Requests that hold a place of a lane.", kind: "gauge", read: byClass(({ working }) => working) },
    { name: "hearth_lane_waiting", help: "Requests that wait for a place of a lane.", kind: "gauge", read: byClass(({ waiting }) => waiting) },
    { name: "hearth_lane_entered_total", help: "Requests that got a place of a lane.", kind: "counter", read: byClass(({ entered }) => entered) },
    { name: "hearth_lane_refused_total", help: "Requests that a lane refused.", kind: "counter", read: byClass(({ refused }) => refused) },
  ];
}

/** Many users can have one address. The estimated wait refuses requests earlier if each takes long. */
const waiting = { queue: 1_024, perCaller: 512 };

const rulesOf = (places: number, anonymous: number, waitMs: number): LaneRules => ({
  classes: {
    interactive: { places, ...waiting },
    // A place is left for users in a browser.
    automated: { places: places - 1, ...waiting },
    anonymous: { places: anonymous, ...waiting },
  },
  waitMs,
});
