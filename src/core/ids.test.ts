import { expect, test } from "vitest";
import { readId } from "./ids.ts";

test.each([
  ["1", 1],
  ["01", 1],
  ["000042", 42],
  ["999999999999999", 999_999_999_999_999],
])("reads %s as an id", (text, id) => {
  expect(readId(text)).toBe(id);
});

test.each(["", "0", "000", "-1", "1.0", "1e3", " 1", "0x1", "abc", "9999999999999999"])("rejects %j as an id", (text) => {
  expect(readId(text)).toBe(0);
});
