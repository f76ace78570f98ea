/** A page of a list: 1-based number, size and the offset that follows from them. */
export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

/** One page of rows and how many rows match before paging (for what the caller may see). */
export interface Paged<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface PageLimits {
  readonly default: number;
  readonly max: number;
}

/** Largest page number taken; beyond it every list is empty, and offsets stay exact integers. */
const maxPage = 1_000_000_000;

/**
 * Reads `page` and `limit` as the wire contract has them: never an error, nonsense means the default, a large limit is clamped.
 */
export function readPage(page: unknown, limit: unknown, limits: PageLimits): Page {
  const number = (value: unknown): number => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : typeof value === "number" ? value : 0);
  const wantedLimit = number(limit);
  const size = wantedLimit > 0 ? Math.min(wantedLimit, limits.max) : limits.default;
  const index = Math.min(Math.max(number(page), 1), maxPage);
  return { page: index, limit: size, offset: (index - 1) * size };
}
