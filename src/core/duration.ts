const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const whole = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ms|s|m|h))+)$/;

/** Parses a duration in the wire format: `8h`, `1h30m`, `90s`, `0`. In whole milliseconds; undefined for any other string. */
export function parseDuration(text: string): number | undefined {
  if (!whole.test(text) || text.length > 50) return undefined;
  let ms = 0;
  for (const [, count = "", unit = ""] of text.matchAll(/([\d.]+)(ms|s|m|h)/g)) ms += Number(count) * (unitMs[unit] ?? 0);
  return Math.round(text.startsWith("-") ? -ms : ms);
}

/** Formats a duration as on the wire: `8h0m0s`, `10m0s`, `30s`. Fractions of a second are dropped. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ""}${seconds >= 60 ? `${minutes}m` : ""}${seconds % 60}s`;
}

/** Like {@link formatDuration}, without units that are zero: `8h`. */
export const shortDuration = (ms: number): string =>
  formatDuration(ms)
    .replace(/(?<=[hm])0s$/, "")
    .replace(/(?<=h)0m$/, "");
