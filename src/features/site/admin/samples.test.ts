import { expect, test } from "vitest";
import { createSamples, rates } from "./samples.ts";

test("samples start at once, end now, and rates follow from the counters", () => {
  let [now, requests] = [1_000, 5];
  const samples = createSamples({ clock: { now: () => now }, read: () => ({ memoryBytes: 1, requests, statements: 0, gitProcesses: 0, jobs: 0 }) });
  [now, requests] = [3_000, 15];
  const taken = samples.list();
  samples.stop();
  expect(taken.map(({ atMs }) => atMs)).toEqual([1_000, 3_000]);
  expect(rates(taken, (sample) => sample.requests, 1_000)).toEqual([5]);
  // A clock that was set back yields zero.
  expect(rates(taken.toReversed(), (sample) => sample.requests, 1_000)).toEqual([0]);
});
