import { performance } from "node:perf_hooks";
import type { Clock } from "../../../core/clock.ts";

/** Values of the process that can be read synchronously. Counters only grow. */
export interface Reading {
  readonly memoryBytes: number;
  readonly requests: number;
  readonly statements: number;
  readonly gitProcesses: number;
  readonly jobs: number;
}

export interface Sample extends Reading {
  readonly atMs: number;
  /** The event loop's utilization since the previous sample: 0 to 1. */
  readonly busy: number;
}

/** The process's recent samples. */
export interface Samples {
  /** From the oldest to one taken now. */
  list(): readonly Sample[];
  stop(): void;
}

const everyMs = 10_000;
/** An hour. */
const keptSamples = 360;

/** Takes a sample every ten seconds and keeps those of one hour, about 40 kB. */
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

/** The growth of a counter from sample to sample, scaled to a time span. Has one value less than there are samples. */
export const rates = (samples: readonly Sample[], of: (sample: Sample) => number, perMs: number): readonly number[] =>
  samples.slice(1).map((sample, at) => {
    const earlier = samples[at] ?? sample;
    const elapsedMs = sample.atMs - earlier.atMs;
    return elapsedMs <= 0 ? 0 : (Math.max(0, of(sample) - of(earlier)) * perMs) / elapsedMs;
  });
