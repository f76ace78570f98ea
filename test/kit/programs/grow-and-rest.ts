import { setTimeout as delay } from "node:timers/promises";
import { boundMemory } from "../../../src/app/process-memory.ts";

// Twice fills its heap with garbage and rests. Prints the bytes of the heap at the start, and each time with the garbage and when they have fallen or after
// 20 s, and how often other memory was to be freed. The second time begins before the system has the memory of the first one back.

const heap = (): number => process.memoryUsage().heapUsed;
const start = heap();
let rests = 0;
boundMemory({
  checkEveryMs: 100,
  onRest: () => {
    rests += 1;
  },
});
const times: { readonly grown: number; readonly rested: number }[] = [];
for (let time = 0; time < 2; time += 1) {
  let kept: unknown[] | undefined = Array.from({ length: 1_000_000 }, (_, at) => ({ at, text: `item ${at}` }));
  const grown = kept.length > 0 ? heap() : 0;
  kept = undefined;
  for (let waits = 0; waits < 200 && heap() > (start + grown) / 2; waits += 1) await delay(100);
  times.push({ grown, rested: heap() });
}
process.stdout.write(JSON.stringify({ start, times, rests }));
