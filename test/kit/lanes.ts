import { createLane, type Lane } from "../../src/core/lanes.ts";

/** A lane in which no request waits. */
export function openWideLane(): Lane {
  const rules = { places: 1_000, queue: 0, perCaller: 0 };
  return createLane({ classes: { interactive: rules, automated: rules, anonymous: rules }, waitMs: 1_000 });
}
