import { describe, expect, test } from "vitest";
import { toCalendar } from "./calendar.ts";

const day = 86_400_000;
/** A Wednesday. */
const now = Date.parse("2026-03-04T12:00:00Z");

describe("the calendar of a year", () => {
  test("has whole weeks from Sunday and ends today", () => {
    const { weeks } = toCalendar([], now);
    expect(weeks).toHaveLength(53);
    expect(weeks.slice(0, -1).every((week) => week.length === 7 && new Date(week[0]?.startMs ?? 0).getUTCDay() === 0)).toBe(true);
    expect(weeks.at(-1)?.at(-1)?.startMs).toBe(Date.parse("2026-03-04T00:00:00Z"));
  });

  test("counts by day and ignores older contributions", () => {
    const contributions = [
      { startMs: now, count: 3 },
      { startMs: now - 900_000, count: 5 },
      { startMs: now - day, count: 1 },
      { startMs: now - 400 * day, count: 9 },
    ];
    const { weeks, months, total } = toCalendar(contributions, now);
    const [yesterday, today] = weeks.flat().slice(-2);
    expect([yesterday?.count, yesterday?.level, today?.count, today?.level, total]).toEqual([1, 1, 8, 4, 9]);
    expect(months.at(-1)).toEqual({ startMs: Date.parse("2026-03-01T00:00:00Z"), count: 9 });
  });
});
