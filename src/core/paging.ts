/** A page of a list: 1-based number, size and the offset that follows from them. */
export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

/** A page of rows, and the number of matching rows visible to the caller. */
export interface Paged<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** Maximum page number: all lists are empty beyond it, and offsets stay exact integers. */
const maxPage = 1_000_000_000;

/**
 * Parses `page` and `limit` as the wire contract requires: invalid values mean the default, a large limit is clamped, and no value is an
 * error.
 */
export function readPage(page: unknown, limit: unknown, limits: PageLimits): Page {
  const number = (value: unknown): number => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : typeof value === "number" ? value : 0);
  const wantedLimit = number(limit);
  const size = wantedLimit > 0 ? Math.min(wantedLimit, limits.max) : limits.default;
  const index = Math.min(Math.max(number(page), 1), maxPage);
  return { page: index, limit: size, offset: (index - 1) * size };
}
