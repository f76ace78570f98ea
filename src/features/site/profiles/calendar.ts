import type { ContributionView } from "../activities/model.ts";

/** A day of the contribution calendar (UTC). */
export interface CalendarDay {
  readonly startMs: number;
  readonly count: number;
  /** 0: none; 4: the most. */
  readonly level: 0 | 1 | 2 | 3 | 4;
}

export interface Calendar {
  /** Each week begins on a Sunday; the last one ends today. */
  readonly weeks: readonly (readonly CalendarDay[])[];
  /** First days of months with the contributions of each. */
  readonly months: readonly { readonly startMs: number; readonly count: number }[];
  readonly total: number;
}

const dayMs = 86_400_000;
const shownWeeks = 53;
const startOfDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

/** Arranges the contributions of the last year as a calendar. */
export function toCalendar(contributions: readonly ContributionView[], now: number): Calendar {
  const today = startOfDay(now);
  const first = today - (new Date(today).getUTCDay() + (shownWeeks - 1) * 7) * dayMs;
  const counts = new Map<number, number>();
  for (const { startMs, count } of contributions) {
    const day = startOfDay(startMs);
    if (day >= first && day <= today) counts.set(day, (counts.get(day) ?? 0) + count);
  }
  const most = Math.max(0, ...counts.values());
  const days = Array.from({ length: (today - first) / dayMs + 1 }, (_, at): CalendarDay => {
    const startMs = first + at * dayMs;
    const count = counts.get(startMs) ?? 0;
    return { startMs, count, level: levelOf(count, most) };
  });
  const weeks = Array.from({ length: Math.ceil(days.length / 7) }, (_, at) => days.slice(at * 7, at * 7 + 7));
  const months = [...Map.groupBy(days, ({ startMs }) => new Date(startMs).toISOString().slice(0, 7)).values()].flatMap((group) => {
    const [day] = group;
    return day === undefined ? [] : [{ startMs: day.startMs, count: group.reduce((sum, { count }) => sum + count, 0) }];
  });
  return { weeks, months, total: days.reduce((sum, { count }) => sum + count, 0) };
}

/** Quarters of the busiest day's count. */
function levelOf(count: number, most: number): CalendarDay["level"] {
  if (count === 0) return 0;
  return Math.min(4, Math.ceil((count / most) * 4)) as CalendarDay["level"];
}
