import { expect, test } from "vitest";
import { linkHeader } from "./link-header.ts";

const link = (page: number, total: number, url = "/api/v1/x?state=all&limit=10&page=9") =>
  linkHeader("http://h", url, { page, limit: 10, offset: (page - 1) * 10 }, total);
const at = (page: number, rel: string) => `<http://h/api/v1/x?limit=10&page=${page}&state=all>; rel="${rel}"`;

test("the first page names what follows", () => expect(link(1, 25)).toBe([at(2, "next"), at(3, "last")].join(",")));
test("a page between names all four", () => expect(link(2, 25)).toBe([at(3, "next"), at(3, "last"), at(1, "first"), at(1, "prev")].join(",")));
test("the last page names what precedes", () => expect(link(3, 25)).toBe([at(1, "first"), at(2, "prev")].join(",")));
test("everything on one page needs no header, not even beyond it", () => {
  expect(link(1, 10)).toBeUndefined();
  expect(link(9, 10)).toBeUndefined();
  expect(link(9, 0)).toBeUndefined();
});
test("beyond the end, prev is computed from the last real page", () => expect(link(99, 20)).toBe([at(1, "first"), at(1, "prev")].join(",")));
