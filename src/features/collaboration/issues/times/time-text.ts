const units = [
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** `1 hour 30 minutes`: tracked time in a timeline. Shows seconds only below a minute. */
export function timeText(seconds: number): string {
  let rest = Math.abs(seconds);
  const parts: string[] = [];
  for (const [unit, length] of units) {
    if (unit === "second" && parts.length > 0) break;
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
  }
  return `${seconds < 0 ? "-" : ""}${parts.join(" ")}`;
}

/** `1h 30m`: the same as users type it, to the second. */
export function typedTime(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3_600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`];
  return parts.filter((part) => !part.startsWith("0")).join(" ");
}
