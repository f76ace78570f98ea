/** A range of times or numbers, both ends included; an infinite end is open. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const open: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Reads `5`, `>5`, `>=5`, `<5`, `<=5`, `2..5`, `*..5` or `2..*`. @param read one value; undefined if it is invalid */
function readSpan(typed: string, read: (text: string) => Span | undefined): Span | undefined {
  const [, first, last] = /^(.*)\.\.(.*)$/.exec(typed) ?? [];
  if (first !== undefined && last !== undefined) {
    const from = first === "*" ? open : read(first);
    const to = last === "*" ? open : read(last);
    return from && to && { from: from.from, to: to.to };
  }
  const [, sign = "", text = ""] = /^([<>]=?)?(.*)$/.exec(typed) ?? [];
  const value = read(text);
  if (value === undefined) return undefined;
  if (sign === ">") return { ...open, from: value.to + 1 };
  if (sign === ">=") return { ...open, from: value.from };
  if (sign === "<") return { ...open, to: value.from - 1 };
  if (sign === "<=") return { ...open, to: value.to };
  return value;
}

const maxNumber = 1_000_000_000;

function readNumber(text: string): Span | undefined {
  if (!/^\d{1,10}$/.test(text)) return undefined;
  const value = Math.min(Number(text), maxNumber);
  return { from: value, to: value };
}

const dayMs = 86_400_000;
/** The part of a time that is not typed: `2024-02` is all of February. */
const calendar = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:\d{2})?)?)?)?$/;
const relative = /^@today(?:-(\d{1,4})([dwmy]))?$/;

/** A date in UTC: a year, a month, a day, a time, or `@today-7d` (d, w, m, y). */
function readDate(text: string, nowMs: number): Span | undefined {
  const ago = relative.exec(text);
  if (ago !== null) return dayOf(daysAgo(nowMs, Number(ago[1] ?? 0), ago[2] ?? "d"));
  const [, year, month, day, hour] = calendar.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (hour !== undefined) {
    const at = Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
    return Number.isNaN(at) ? undefined : { from: at, to: at + (/T\d{2}:\d{2}(?:Z|[+-]|$)/.test(text) ? 59_999 : 999) };
  }
  if (day !== undefined) {
    const at = Date.parse(`${text}T00:00:00Z`);
    // An impossible day such as February 31 moves to another month.
    return Number.isNaN(at) || new Date(at).getUTCDate() !== Number(day) ? undefined : { from: at, to: at + dayMs - 1 };
  }
  const [y, m] = [Number(year), month === undefined ? undefined : Number(month)];
  if (m !== undefined && (m < 1 || m > 12)) return undefined;
  return { from: Date.UTC(y, (m ?? 1) - 1), to: (m === undefined ? Date.UTC(y + 1, 0) : Date.UTC(y, m)) - 1 };
}

const dayOf = (ms: number): Span => {
  const from = Math.floor(ms / dayMs) * dayMs;
  return { from, to: from + dayMs - 1 };
};

function daysAgo(nowMs: number, count: number, unit: string): number {
  if (unit === "d") return nowMs - count * dayMs;
  if (unit === "w") return nowMs - count * 7 * dayMs;
  const date = new Date(nowMs);
  if (unit === "m") date.setUTCMonth(date.getUTCMonth() - count);
  else date.setUTCFullYear(date.getUTCFullYear() - count);
  return date.getTime();
}

/** Undefined if one of the values is invalid or cannot match. */
function readSpans(values: readonly string[], read: (text: string) => Span | undefined): readonly Span[] | undefined {
  const spans = values.flatMap((value) => readSpan(value, read) ?? []);
  return spans.length === values.length && spans.length > 0 ? spans : undefined;
}

export const readNumbers = (values: readonly string[]): readonly Span[] | undefined => readSpans(values, readNumber);

export const readDates = (values: readonly string[], nowMs: number): readonly Span[] | undefined => readSpans(values, (text) => readDate(text, nowMs));
