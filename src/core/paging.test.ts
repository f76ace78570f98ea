import { expect, test } from "vitest";
import { readPage } from "./paging.ts";

const limits = { default: 30, max: 50 };

test.each([
  [undefined, undefined, { page: 1, limit: 30, offset: 0 }],
  ["2", "10", { page: 2, limit: 10, offset: 10 }],
  ["0", "0", { page: 1, limit: 30, offset: 0 }],
  ["-1", "-5", { page: 1, limit: 30, offset: 0 }],
  ["x", "1e3", { page: 1, limit: 30, offset: 0 }],
  ["1", "51", { page: 1, limit: 50, offset: 0 }],
  ["999999999999999", "50", { page: 1_000_000_000, limit: 50, offset: 49_999_999_950 }],
])("page %s, limit %s", (page, limit, expected) => expect(readPage(page, limit, limits)).toEqual(expected));
