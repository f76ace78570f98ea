import type { Page } from "../core/paging.ts";

/**
 * The `Link` header of a list (RFC 8288): next, last, first, prev, with absolute URLs; other parameters are kept and sorted by name.
 * @param url path and query as requested
 * @returns undefined when all items fit on one page
 */
export function linkHeader(origin: string, url: string, page: Page, total: number): string | undefined {
  const lastPage = Math.max(1, Math.ceil(total / page.limit));
  if (lastPage === 1) return undefined;
  const [path = "", search = ""] = url.split("?", 2);
  const target = (number: number, rel: string): string => {
    const parameters = new URLSearchParams(search);
    parameters.set("page", String(number));
    parameters.sort();
    return `<${origin}${path}?${parameters.toString()}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (page.page < lastPage) links.push(target(page.page + 1, "next"), target(lastPage, "last"));
  if (page.page > 1) links.push(target(1, "first"), target(Math.max(1, Math.min(page.page, lastPage + (page.page > lastPage ? 0 : 1)) - 1), "prev"));
  return links.join(",");
}
