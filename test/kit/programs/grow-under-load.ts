import { setTimeout as delay } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { boundMemory } from "../../../src/app/process-memory.ts";

// Replaces objects that outlive the collections of new ones. Prints the bytes of the old objects at the start, all of them in use, and the peak.
// Needs --expose-gc.

const oldBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? Number.NaN;
const objects = (count: number): unknown[] => Array.from({ length: count }, (_, at) => ({ at, text: `item ${at}` }));
boundMemory({ limitAfterMs: 0 });
await delay(10);
/** The work of requests, each of which ends some time after it began. */
const running = Array.from({ length: 100 }, () => objects(5_000));
globalThis.gc?.();
const live = oldBytes();
let peak = 0;
for (let at = 0; at < 1_000; at += 1) {
  running.shift();
  running.push(objects(5_000));
  peak = Math.max(peak, oldBytes());
  // Lets V8 end a concurrent collection.
  await delay(1);
}
process.stdout.write(JSON.stringify({ live, peak }));
