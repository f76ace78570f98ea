import type { Clock } from "../../src/core/clock.ts";

/** A clock that only moves when a test advances it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(startMs = 1_000_000): TestClock {
  let now = startMs;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
