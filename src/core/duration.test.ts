import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

test.each([
  ["8h", 28_800_000, "8h0m0s"],
  ["24h0m0s", 86_400_000, "24h0m0s"],
  ["1h30m", 5_400_000, "1h30m0s"],
  ["1.5h", 5_400_000, "1h30m0s"],
  ["10m", 600_000, "10m0s"],
  ["90s", 90_000, "1m30s"],
  ["250ms", 250, "0s"],
  ["0", 0, "0s"],
  ["0s", 0, "0s"],
])("%s is a duration", (text, ms, spelt) => {
  expect(parseDuration(text)).toBe(ms);
  expect(formatDuration(ms)).toBe(spelt);
});

test("a negative duration is parsed as negative milliseconds", () => expect(parseDuration("-5m")).toBe(-300_000));

test.each(["", "soon", "bad", "10", "1 h", "h", "5d", "1h 2m", "١h", `${"9".repeat(60)}h`])("%j is not a duration", (text) =>
  expect(parseDuration(text)).toBeUndefined(),
);
