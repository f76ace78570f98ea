import type { Html } from "./html.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useLanguage, useTexts } from "./texts/texts.ts";

const toMinute = (ms: number): { readonly iso: string; readonly shown: string } => {
  const iso = new Date(ms).toISOString();
  return { iso, shown: `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` };
};

/** A time to the minute, in UTC: without scripts the reader's time zone is unknown. */
export const Moment = ({ ms }: { readonly ms: number }): Html => {
  const { iso, shown } = toMinute(ms);
  return <time datetime={iso}>{shown}</time>;
};

/** A date in the reader's language. */
export const Day = ({ ms }: { readonly ms: number }): Html => {
  const language = useLanguage();
  if (!isDate(ms)) return <time>?</time>;
  const { iso, shown } = toMinute(ms);
  return (
    <time datetime={iso} title={shown}>
      {dayName(ms, language)}
    </time>
  );
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number])[] = [
  ["second", second, minute],
  ["minute", minute, hour],
  ["hour", hour, day],
  ["day", day, 30 * day],
  ["month", 30 * day, 365 * day],
  ["year", 365 * day, Number.POSITIVE_INFINITY],
];

const formats = new Map<string, Intl.RelativeTimeFormat>();
function formatOf(language: string): Intl.RelativeTimeFormat {
  const known = formats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  formats.set(language, known);
  return known;
}

/** A relative time, such as `3 hours ago` or `yesterday`. */
function relativeTime(elapsed: number, language: string): string {
  const [unit, length] = steps.find(([, , below]) => Math.abs(elapsed) < below) ?? ["year", 365 * day];
  return formatOf(language).format(Math.trunc(elapsed / length), unit);
}

/** The range of Date; commits can have other times. */
const isDate = (ms: number): boolean => Math.abs(ms) <= 8.64e15;

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** A day in UTC, such as `Nov 23, 2026`. */
export function dayName(ms: number, language: string): string {
  if (!isDate(ms)) return "?";
  const format = dayFormats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  dayFormats.set(language, format);
  return format.format(ms);
}

/** A relative time, with the exact time as a tooltip. */
export const Ago = ({ ms, now }: { readonly ms: number; readonly now: number }): Html => {
  const language = useLanguage();
  const { justNow } = useTexts(sharedTexts);
  if (!isDate(ms)) return <time>?</time>;
  const { iso, shown } = toMinute(ms);
  const elapsed = ms - now;
  return (
    <time datetime={iso} title={shown}>
      {Math.abs(elapsed) < second ? justNow : relativeTime(elapsed, language)}
    </time>
  );
};
