import { describe, expect, test } from "vitest";
import { formatTime, parseEndOfDay, parseTime } from "./time.ts";

test.each([
  ["2026-01-02T00:00:00Z", "2026-01-02T23:59:59Z"],
  ["2026-01-02T23:30:00-05:00", "2026-01-02T23:59:59Z"],
  ["2026-01-02T00:30:00+05:00", "2026-01-02T23:59:59Z"],
])("the day of %s ends at %s", (text, end) => expect(formatTime(parseEndOfDay(text) ?? 0)).toBe(end));

test.each(["", "2026-01-02", "2026-02-30T00:00:00Z"])("%j has no end of day", (text) => expect(parseEndOfDay(text)).toBeUndefined());

describe("parseTime", () => {
  test.each([
    ["2026-01-02T15:04:05Z", Date.UTC(2026, 0, 2, 15, 4, 5)],
    ["2026-01-02t15:04:05.25z", Date.UTC(2026, 0, 2, 15, 4, 5, 250)],
    ["2026-01-02T15:04:05+02:00", Date.UTC(2026, 0, 2, 13, 4, 5)],
    ["2024-02-29T00:00:00-05:30", Date.UTC(2024, 1, 29, 5, 30, 0)],
  ])("parses %s", (text, ms) => expect(parseTime(text)).toBe(ms));

  test.each([
    "",
    "2026-01-02",
    "2026-13-01T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-01-02T25:00:00Z",
    "1735689600",
    "2026-01-02T15:04:05",
    "x2026-01-02T15:04:05Z",
  ])("rejects %j", (text) => expect(parseTime(text)).toBeUndefined());
});

describe("formatTime", () => {
  test.each([
    [0, 0, "1970-01-01T00:00:00Z"],
    [Date.UTC(2020, 0, 2, 1, 4, 6), 120, "2020-01-02T03:04:06+02:00"],
    [Date.UTC(2020, 0, 2, 1, 4, 6), -330, "2020-01-01T19:34:06-05:30"],
    [1e20, 0, "9999-12-31T23:59:59Z"],
    [-1e20, 0, "0000-01-01T00:00:00Z"],
    [Number.NaN, 0, "1970-01-01T00:00:00Z"],
    [0, 99_999, "1970-01-01T00:00:00Z"],
  ])("formats %d at offset %d", (ms, offset, text) => expect(formatTime(ms, offset)).toBe(text));
});
