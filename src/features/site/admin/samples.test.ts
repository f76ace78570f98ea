import { expect, test } from "vitest";
import { createSamples, rates } from "./samples.ts";

test("samples begin at once, end with this moment, and rates follow from what counts up", () => {
  let [now, requests] = [1_000, 5];
  const samples = createSamples({ clock: { now: () => now }, read: () => ({ memoryBytes: 1, requests, statements: 0, gitProcesses: 0, jobs: 0 }) });
  [now, requests] = [3_000, 15];
  const taken = samples.list();
  samples.stop();
  expect(taken.map(({ atMs }) => atMs)).toEqual([1_000, 3_000]);
  expect(rates(taken, (sample) => sample.requests, 1_000)).toEqual([5]);
  // A clock that was set back tells nothing.
  expect(rates(taken.toReversed(), (sample) => sample.requests, 1_000)).toEqual([0]);
});
