const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds of an RFC 3339 time; undefined for anything else, dates that do not exist included. */
export function parseTime(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match;
  const time = Date.parse(text.toUpperCase());
  if (Number.isNaN(time)) return undefined;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysInMonth ? time : undefined;
}

/** The last second, UTC, of the day that an RFC 3339 time names in its own offset: what a due date means. Undefined for anything else. */
export function parseEndOfDay(text: string): number | undefined {
  return parseTime(text) === undefined ? undefined : parseTime(`${text.slice(0, 10)}T23:59:59Z`);
}

/** 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z: what RFC 3339 holds. */
const firstMs = -62_167_219_200_000;
const lastMs = 253_402_300_799_000;

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

/**
 * RFC 3339 with seconds in the given offset (minutes east of UTC): how git times appear on the wire.
 * Times that RFC 3339 cannot hold (before year 0, after 9999) become its nearest bound; no number becomes 1970.
 */
export function formatTime(ms: number, offsetMinutes = 0): string {
  const offset = Number.isFinite(offsetMinutes) && Math.abs(offsetMinutes) < 24 * 60 ? Math.trunc(offsetMinutes) : 0;
  const known = Number.isNaN(ms) ? 0 : ms;
  const date = new Date(Math.min(Math.max(known + offset * 60_000, firstMs), lastMs));
  const zone = offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(offset) / 60), 2)}:${pad(Math.abs(offset) % 60, 2)}`;
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}T${pad(date.getUTCHours(), 2)}:${pad(date.getUTCMinutes(), 2)}:${pad(date.getUTCSeconds(), 2)}${zone}`;
}

/** The zero time of the wire: "there is none" where the type has no null. */
export const zeroTime = "0001-01-01T00:00:00Z";
/** The other one: 1970. */
export const epochTime = "1970-01-01T00:00:00Z";
