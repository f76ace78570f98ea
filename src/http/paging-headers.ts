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

/** Additional paging headers of some lists, besides X-Total-Count and Link. */
export type PageHeader = "X-Page" | "X-PerPage" | "X-Total" | "X-PageCount" | "X-HasMore";

interface Definition {
  readonly type: "integer" | "boolean";
  readonly description: string;
  readonly value: (page: Page, total: number) => number | boolean;
}

const pageCount = ({ limit }: Page, total: number): number => Math.ceil(total / limit);

const definitions: Readonly<Record<PageHeader, Definition>> = {
  "X-Page": { type: "integer", description: "number of this page", value: ({ page }) => page },
  "X-PerPage": { type: "integer", description: "items on a page", value: ({ limit }) => limit },
  "X-Total": { type: "integer", description: "as X-Total-Count", value: (_page, total) => total },
  "X-PageCount": { type: "integer", description: "number of the last page", value: pageCount },
  "X-HasMore": { type: "boolean", description: "whether a page follows", value: (page, total) => page.page < pageCount(page, total) },
};

export function pageHeaderValues(names: readonly PageHeader[], page: Page, total: number): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), String(definitions[name].value(page, total))]));
}

export interface DescribedHeader {
  readonly type: string;
  readonly format?: string;
  readonly description: string;
}

/** The headers as shown in the description. */
export function describePageHeaders(names: readonly PageHeader[]): Record<string, DescribedHeader> {
  return Object.fromEntries(
    names.map((name) => {
      const { type, description } = definitions[name];
      return [name, { type, ...(type === "integer" && { format: "int64" }), description }];
    }),
  );
}
