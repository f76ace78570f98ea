import { performance } from "node:perf_hooks";
import type { Clock } from "../../../core/clock.ts";

/** What can be read of the process at any moment without asking anybody. What counts, counts up. */
export interface Reading {
  readonly memoryBytes: number;
  readonly requests: number;
  readonly statements: number;
  readonly gitProcesses: number;
  readonly jobs: number;
}

export interface Sample extends Reading {
  readonly atMs: number;
  /** Of the time since the sample before, the part in which the event loop had something to do: 0 to 1. */
  readonly busy: number;
}

/** How the process has been, as far back as its memory reaches. */
export interface Samples {
  /** From the oldest to one of this moment. */
  list(): readonly Sample[];
  stop(): void;
}

const everyMs = 10_000;
/** An hour. */
const keptSamples = 360;

/** Takes a sample every ten seconds, and keeps those of an hour: some 40 kB. */
export function createSamples({ clock, read }: { readonly clock: Clock; readonly read: () => Reading }): Samples {
  const kept: Sample[] = [];
  let before = performance.eventLoopUtilization();
  const take = (): Sample => ({ ...read(), atMs: clock.now(), busy: performance.eventLoopUtilization(before).utilization });
  const keep = (): void => {
    kept.push(take());
    if (kept.length > keptSamples) kept.shift();
    before = performance.eventLoopUtilization();
  };
  keep();
  const timer = setInterval(keep, everyMs);
  timer.unref();
  return { list: () => [...kept, take()], stop: () => clearInterval(timer) };
}

/** How much something counted up from sample to sample, for a length of time. One value less than there are samples. */
export const rates = (samples: readonly Sample[], of: (sample: Sample) => number, perMs: number): readonly number[] =>
  samples.slice(1).map((sample, at) => {
    const earlier = samples[at] ?? sample;
    const elapsedMs = sample.atMs - earlier.atMs;
    return elapsedMs <= 0 ? 0 : (Math.max(0, of(sample) - of(earlier)) * perMs) / elapsedMs;
  });
