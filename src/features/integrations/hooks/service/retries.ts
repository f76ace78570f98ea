const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Times of the retries after the first attempt, as recommended by Standard Webhooks. */
const ages: readonly number[] = [0, 5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs, 24 * hourMs];

/** Deliveries older than this are abandoned. */
export const giveUpAfterMs = 24 * hourMs;

/** The pause after consecutive failures. Up to a tenth is random, so that deliveries that failed together are not retried together. */
export function pauseAfter(failures: number, chance = Math.random()): number {
  const at = Math.min(failures, ages.length - 1);
  return Math.round(((ages[at] ?? 0) - (ages[at - 1] ?? 0)) * (1 + chance / 10));
}
