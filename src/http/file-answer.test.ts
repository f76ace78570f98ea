import { describe, expect, test } from "vitest";
import { contentDisposition, isFresh, readRange } from "./file-answer.ts";

describe("Content-Disposition of a file", () => {
  test.each([
    ["a.js", "inline; filename=a.js"],
    ["a b", `inline; filename="a b"; filename*=UTF-8''a%20b`],
    ["é.svg", `inline; filename="_.svg"; filename*=UTF-8''%C3%A9.svg`],
    ['a"; x="\r\nSet-Cookie: a=b', `inline; filename="a_; x=___Set-Cookie: a=b"; filename*=UTF-8''a%22%3B%20x%3D%22%0D%0ASet-Cookie%3A%20a%3Db`],
    ["50%", `inline; filename="50_"; filename*=UTF-8''50%25`],
    ["it's", `inline; filename="it's"; filename*=UTF-8''it%27s`],
    ["\u{1f600}", `inline; filename="__"; filename*=UTF-8''%F0%9F%98%80`],
    ["\ud800", `inline; filename="_"; filename*=UTF-8''%EF%BF%BD`],
    ["", `inline; filename=""; filename*=UTF-8''`],
  ])("%j", (name, header) => expect(contentDisposition("inline", name)).toBe(header));

  test("keeps any character within the header and round-trips it", () => {
    for (let code = 0; code < 0x3000; code++) {
      const name = `a${String.fromCharCode(code)}b`;
      const header = contentDisposition("attachment", name);
      expect(/^[\x20-\x7e]+$/.test(header)).toBe(true);
      const encoded = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
      expect(encoded === undefined ? header.slice("attachment; filename=".length) : decodeURIComponent(encoded)).toBe(name);
    }
  });
});

test("a file is fresh if If-None-Match contains its tag", () => {
  for (const header of ['"x"', 'W/"x"', '"y", "x"', "*"]) expect(isFresh(header, "x")).toBe(true);
  for (const header of [undefined, "x", '"y"', "", ['"x"']]) expect(isFresh(header, "x")).toBe(false);
});

test("a range is limited to the bytes of the file", () => {
  expect(readRange("bytes=0-0", 10)).toEqual({ start: 0, end: 0 });
  expect(readRange("bytes=3-", 10)).toEqual({ start: 3, end: 9 });
  expect(readRange("bytes=3-99", 10)).toEqual({ start: 3, end: 9 });
  expect(readRange("bytes=-3", 10)).toEqual({ start: 7, end: 9 });
  expect(readRange("bytes=-99", 10)).toEqual({ start: 0, end: 9 });
  for (const header of ["bytes=10-", "bytes=-0", "bytes=99-100"]) expect(readRange(header, 10)).toBe("unsatisfiable");
  expect(readRange("bytes=-1", 0)).toBe("unsatisfiable");
  for (const header of [undefined, "bytes=-", "bytes=5-3", "bytes=0-1,3-4", "items=0-1", "bytes=1.5-2", "bytes=99999999999999999-"])
    expect(readRange(header, 10)).toBeUndefined();
});
