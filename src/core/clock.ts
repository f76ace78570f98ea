/** Milliseconds since 1970, UTC. The only source of wall-clock time; tests inject their own. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
