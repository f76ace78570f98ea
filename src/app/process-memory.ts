import { flushCompileCache } from "node:module";
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Growth of the heap since the last collection of garbage. 60 % keeps the process below 350 MB when 500 clients request pages at the same time. */
const heapGrowthPercent = 60;

/** Times of the checks; tests use shorter ones. */
export interface MemoryOptions {
  /** When the growth of the heap becomes limited, after modules were loaded. */
  readonly limitAfterMs?: number;
  /** Interval of the checks whether the process is idle. */
  readonly checkEveryMs?: number;
  /** Frees other memory when the process collects garbage because it is idle. */
  readonly onRest?: () => void;
}

/** Limits the growth of the heap of this process, and returns unused memory while it is idle. */
export function boundMemory({ limitAfterMs = 5_000, checkEveryMs = 10_000, onRest = () => undefined }: MemoryOptions = {}): void {
  setTimeout(() => {
    // Code that is compiled later is not accepted by the next start, which has another flag when it loads its modules.
    flushCompileCache();
    limitHeapGrowth(heapGrowthPercent);
  }, limitAfterMs).unref();
  releaseMemoryWhenIdle(checkEveryMs, onRest);
}

/**
 * Makes V8 collect garbage when the heap has grown by this percentage of the memory in use. By default a small heap grows to four times the
 * memory in use, and most of it is garbage that outlived a few requests.
 */
export const limitHeapGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

/** The share of time with work below which a process is idle. */
const idleShare = 0.05;
const grownBytes = 32 * 1024 * 1024;

/** Unlike the resident memory, the size of the heap falls with a collection. V8 returns the pages to the system within 30 seconds. */
function takenBytes(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/**
 * Collects garbage when an idle process has grown by 32 MB, which blocks it for 20 to 40 ms. V8 collects when it allocates, so an idle process
 * would keep the memory of large responses.
 */
function releaseMemoryWhenIdle(everyMs: number, onRest: () => void): void {
  let collector: Collector | undefined;
  let since = performance.eventLoopUtilization();
  let resting = takenBytes();
  const collect = async (): Promise<void> => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    const taken = takenBytes();
    resting = Math.min(resting, taken);
    if (utilization > idleShare || taken < resting + grownBytes) return;
    onRest();
    collector ??= exposeCollector();
    await collector({ type: "major", execution: "async" });
    // The next collection needs new garbage.
    resting = takenBytes();
  };
  setInterval(() => void collect(), everyMs).unref();
}

type Collector = (options: { readonly type: "major"; readonly execution: "async" }) => Promise<void>;

/** New contexts have the function while the flag is set. It is cleared again, because flags are part of the key of the compile cache. */
function exposeCollector(): Collector {
  setFlagsFromString("--expose-gc");
  const collector = runInNewContext("gc") as Collector;
  setFlagsFromString("--no-expose-gc");
  return collector;
}
