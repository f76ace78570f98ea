import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { DelayedLineOptions } from "./delayed-line.ts";

// Started by `bench/delayed-line.ts`. Posts its port.

const { target, delayMs } = workerData as DelayedLineOptions;

/** Timers of one duration end in the order in which they were started. */
function forward(from: Socket, to: Socket): void {
  from.setNoDelay(true);
  from.on("data", (chunk) => setTimeout(() => to.write(chunk), delayMs));
  from.on("end", () => setTimeout(() => to.end(), delayMs));
  from.on("error", () => to.destroy());
  from.on("close", () => setTimeout(() => to.destroy(), delayMs));
}

const server = createServer((incoming) => {
  const outgoing = connect(target);
  forward(incoming, outgoing);
  forward(outgoing, incoming);
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
