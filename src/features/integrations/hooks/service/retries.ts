const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long after the first attempt the others follow, as Standard Webhooks recommends. */
const ages: readonly number[] = [0, 5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs, 24 * hourMs];

/** What has not arrived in this time never will. */
export const giveUpAfterMs = 24 * hourMs;

/** The pause after so many failures on end; up to a tenth is chance, so that what failed together does not come back together. */
export function pauseAfter(failures: number, chance = Math.random()): number {
  const at = Math.min(failures, ages.length - 1);
  return Math.round(((ages[at] ?? 0) - (ages[at - 1] ?? 0)) * (1 + chance / 10));
}
