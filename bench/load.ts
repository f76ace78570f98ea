import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { LoadOptions, LoadTotals } from "./load-worker.ts";

/** Clients in a thread of their own, so that their work does not delay the measurement beside it. */
export interface Load {
  /** Time until each client had its first answer, in milliseconds. */
  readonly openedMs: number;
  /** Stops after the current requests. */
  stop(): Promise<LoadTotals>;
}

/** Starts clients that each send their next request when they have an answer, and waits for the first answer of each. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const startedMs = performance.now();
  const worker = new Worker(new URL("./load-worker.ts", import.meta.url), { workerData: options });
  await once(worker, "message");
  return {
    openedMs: performance.now() - startedMs,
    async stop() {
      worker.postMessage("stop");
      const [totals] = (await once(worker, "message")) as [LoadTotals];
      await worker.terminate();
      return totals;
    },
  };
}
