import { wholeText } from "./whole-text.ts";

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 time to milliseconds; undefined for anything else, including nonexistent dates. */
export function parseTime(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match;
  const time = Date.parse(text.toUpperCase());
  if (Number.isNaN(time)) return undefined;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysInMonth ? time : undefined;
}

/** The last second, in UTC, of the day of an RFC 3339 time in its own offset: the meaning of a due date. Undefined for anything else. */
export function parseEndOfDay(text: string): number | undefined {
  return parseTime(text) === undefined ? undefined : parseTime(`${text.slice(0, 10)}T23:59:59Z`);
}

/** 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z: the range of RFC 3339. */
const firstMs = -62_167_219_200_000;
const lastMs = 253_402_300_799_000;

const pad = (value: number): string => (value < 10 ? `0${value}` : String(value));

/**
 * Formats RFC 3339 with seconds in the given offset (minutes east of UTC), as the wire shows git times.
 * Times outside the range of RFC 3339 (before year 0, after 9999) are clamped; NaN becomes 1970.
 */
export function formatTime(ms: number, offsetMinutes = 0): string {
  const offset = Number.isFinite(offsetMinutes) && Math.abs(offsetMinutes) < 24 * 60 ? Math.trunc(offsetMinutes) : 0;
  const known = Number.isNaN(ms) ? 0 : ms;
  const date = new Date(Math.min(Math.max(known + offset * 60_000, firstMs), lastMs));
  const zone = offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
  return wholeText(
    String(date.getUTCFullYear()).padStart(4, "0"),
    "-",
    pad(date.getUTCMonth() + 1),
    "-",
    pad(date.getUTCDate()),
    "T",
    pad(date.getUTCHours()),
    ":",
    pad(date.getUTCMinutes()),
    ":",
    pad(date.getUTCSeconds()),
    zone,
  );
}

/** The wire's zero time, used for missing values of types without null. */
export const zeroTime = "0001-01-01T00:00:00Z";
/** The other zero time: 1970. */
export const epochTime = "1970-01-01T00:00:00Z";
