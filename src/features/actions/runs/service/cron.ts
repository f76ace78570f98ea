import { Cron } from "croner";

/** The first time after another one at which a schedule starts, in UTC. @returns undefined if there is none */
export function nextTime(crons: readonly string[], afterMs: number): number | undefined {
  const times = crons.flatMap((cron) => {
    try {
      return new Cron(cron, { mode: "5-part", timezone: "UTC" }).nextRun(new Date(afterMs))?.getTime() ?? [];
    } catch {
      // The parser of workflow files reports invalid ones.
      return [];
    }
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The expression of a schedule that starts at a time. */
export const cronAt = (crons: readonly string[], timeMs: number): string => crons.find((cron) => nextTime([cron], timeMs - 1) === timeMs) ?? crons[0] ?? "";
