import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A TCP port on the loopback interface whose connections reach a server as late as over a network. */
export interface DelayedLine {
  readonly port: number;
  close(): Promise<void>;
}

export interface DelayedLineOptions {
  /** Path of the server's socket. */
  readonly target: string;
  /** Delay of each direction. Timers round it up to whole milliseconds. */
  readonly delayMs: number;
}

/** The line has a thread of its own, so that the load does not add to the delay. */
export async function openDelayedLine(options: DelayedLineOptions): Promise<DelayedLine> {
  const worker = new Worker(new URL("./delayed-line-worker.ts", import.meta.url), { workerData: options });
  const [port] = (await once(worker, "message")) as [number];
  return { port, close: async () => void (await worker.terminate()) };
}
