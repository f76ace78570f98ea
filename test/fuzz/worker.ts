import { parentPort, workerData } from "node:worker_threads";
import { createCampaign, headerBytes, type WorkerOrder } from "./campaign.ts";
import { openConnectionTargets } from "./connections.ts";
import { openServerTargets } from "./server-targets.ts";
import { targets } from "./targets.ts";

const { name, seed, memory } = workerData as WorkerOrder;
const counters = new Int32Array(memory, 0, 2);
const current = Buffer.from(memory, headerBytes);

using connections = await openConnectionTargets();
await using server = openServerTargets((pid) => parentPort?.postMessage({ pid }));
const target = [...targets, ...connections.targets, ...server.targets].find((one) => one.name === name);
if (target === undefined) throw new Error(`there is no target ${name}`);
const campaign = createCampaign(target, {
  seed,
  onInput(input) {
    input.copy(current);
    counters[1] = Math.min(input.length, current.length);
    Atomics.add(counters, 0, 1);
  },
});
for (let at = 1; ; at += 1) {
  const defect = await campaign.step();
  if (defect !== undefined) parentPort?.postMessage({ input: defect.input, error: String((defect.error as Error)?.stack ?? defect.error) });
  // Lets messages, timers and the end of the worker through.
  if (at % 100 === 0) await new Promise(setImmediate);
}
