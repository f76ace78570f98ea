import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The share of time with work below which a process is idle. */
const idleShare = 0.05;
const grownBytes = 32 * 1024 * 1024;

/**
 * Collects garbage when an idle process has grown by 32 MB, which blocks it for 20 to 40 ms. V8 collects when it allocates, so an idle process
 * would keep the memory of large responses. V8 returns the pages to the system within 30 seconds.
 */
export function releaseMemoryWhenIdle(everyMs = 15_000): void {
  let collector: Collector | undefined;
  let since = performance.eventLoopUtilization();
  let resting = process.memoryUsage.rss();
  const collect = async (): Promise<void> => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    const resident = process.memoryUsage.rss();
    resting = Math.min(resting, resident);
    if (utilization > idleShare || resident < resting + grownBytes) return;
    collector ??= exposeCollector();
    await collector({ type: "major", execution: "async" });
    // The next collection needs new garbage.
    resting = process.memoryUsage.rss();
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
