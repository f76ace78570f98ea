/**
 * Decides whether transactions of a process run alone or in groups, from how many of the latest ones collided.
 * Alone, each waits for the server on its own connection, and a collision costs a repetition. In groups they wait for each other.
 */
export interface CollisionGauge {
  /** Whether new transactions should wait for a group. */
  isCrowded(): boolean;
  succeeded(): void;
  collided(): void;
}

/** Part that the latest attempt has in the share of collisions. */
const weight = 1 / 16;
/** With a larger share of collisions, repetitions cost more than waiting. */
const crowdedShare = 1 / 2;
/** Afterwards transactions try again to run alone. Few further collisions are then enough. */
const crowdedMs = 1_000;
const shareAfterwards = 1 / 4;

export function createCollisionGauge(nowMs: () => number): CollisionGauge {
  let share = 0;
  let crowdedUntilMs = Number.NEGATIVE_INFINITY;
  const isCrowded = (): boolean => nowMs() < crowdedUntilMs;
  return {
    isCrowded,
    succeeded() {
      if (!isCrowded()) share -= share * weight;
    },
    collided() {
      share += (1 - share) * weight;
      if (share < crowdedShare) return;
      share = shareAfterwards;
      crowdedUntilMs = nowMs() + crowdedMs;
    },
  };
}
