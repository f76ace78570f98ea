import { expect, test } from "vitest";
import { linkHeader } from "./paging-headers.ts";

const link = (page: number, total: number, url = "/api/v1/x?state=all&limit=10&page=9") =>
  linkHeader("http://h", url, { page, limit: 10, offset: (page - 1) * 10 }, total);
const at = (page: number, rel: string) => `<http://h/api/v1/x?limit=10&page=${page}&state=all>; rel="${rel}"`;

test("links next and last on the first page", () => expect(link(1, 25)).toBe([at(2, "next"), at(3, "last")].join(",")));
test("links all four pages on a middle page", () => expect(link(2, 25)).toBe([at(3, "next"), at(3, "last"), at(1, "first"), at(1, "prev")].join(",")));
test("links prev and first on the last page", () => expect(link(3, 25)).toBe([at(1, "first"), at(2, "prev")].join(",")));
test("returns no header for a single page, even beyond its end", () => {
  expect(link(1, 10)).toBeUndefined();
  expect(link(9, 10)).toBeUndefined();
  expect(link(9, 0)).toBeUndefined();
});
test("computes prev from the last existing page when the page is beyond the end", () => expect(link(99, 20)).toBe([at(1, "first"), at(1, "prev")].join(",")));
