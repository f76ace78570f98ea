import { setTimeout as delay } from "node:timers/promises";
import { boundMemory } from "../../../src/app/process-memory.ts";

// Fills its heap with garbage, rests, and prints the bytes of the heap at the start, with the garbage, and when they have fallen or after 20 s.

const heap = (): number => process.memoryUsage().heapUsed;
const start = heap();
boundMemory({ checkEveryMs: 100 });
let kept: unknown[] = [];
for (let at = 0; at < 1_000_000; at += 1) kept.push({ at, text: `item ${at}` });
const grown = heap();
kept = [];
for (let waits = 0; waits < 200 && heap() > (start + grown) / 2; waits += 1) await delay(100);
process.stdout.write(JSON.stringify({ start, grown, rested: heap(), left: kept.length }));
