import type { Page, Paged } from "../../../../core/paging.ts";

export interface CountedRow {
  readonly id: number;
  /** Of all rows, not only those of the page. */
  readonly total: number;
}

/** A page whose rows contain the total. After the last page, the first row is read too. */
export async function readCounted(page: Page, read: (range: Pick<Page, "limit" | "offset">) => Promise<readonly CountedRow[]>): Promise<Paged<number>> {
  const rows = await read(page);
  const [first] = rows.length > 0 || page.offset === 0 ? rows : await read({ limit: 1, offset: 0 });
  return { items: rows.map(({ id }) => Number(id)), total: Number(first?.total ?? 0) };
}
