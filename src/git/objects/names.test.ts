import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareTreeNames, decodeName, encodeName, isCanonicalName } from "./names.ts";

describe("a file name", () => {
  test("in UTF-8 is unchanged", () => {
    for (const name of ["a", "ü", "日本", "\u{1f600}", "a\u0000b", "\ufffd", "\ue000", "\u{10fdff}", "\u{10ff00}"]) {
      expect([decodeName(Buffer.from(name)), encodeName(name).toString(), isCanonicalName(name)]).toEqual([name, name, true]);
    }
  });

  test("of arbitrary bytes round-trips through a unique string, JSON and URLs", () => {
    const escapeLike = fc.constantFrom(
      Buffer.from("\u{10fe80}"),
      Buffer.from("\u{10feff}"),
      Buffer.from("\u{10fe7f}"),
      Buffer.from("ü"),
      Buffer.from([0xed, 0xa0, 0x80]),
    );
    const bytes = fc
      .array(
        fc.oneof(
          fc.uint8Array({ maxLength: 6 }).map((part) => Buffer.from(part)),
          escapeLike,
        ),
      )
      .map((parts) => Buffer.concat(parts));
    fc.assert(
      fc.property(bytes, (name) => {
        const text = decodeName(name);
        expect(encodeName(text).equals(name)).toBe(true);
        expect(isCanonicalName(text)).toBe(true);
        expect(decodeURIComponent(encodeURIComponent(text))).toBe(text);
        expect(JSON.parse(JSON.stringify(text))).toBe(text);
        expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test("with escaped valid bytes or a lone surrogate is not canonical", () => {
    const escaped = (bytes: readonly number[]): string => bytes.map((byte) => String.fromCodePoint(0x10fe00 + byte)).join("");
    expect(isCanonicalName(escaped([0xc3, 0xbc]))).toBe(false);
    expect(isCanonicalName(`.g${escaped([0xe2, 0x80, 0x8c])}it`)).toBe(false);
    expect(isCanonicalName("\ud800")).toBe(false);
    expect(isCanonicalName(escaped([0xff]))).toBe(true);
  });

  test("sorts by bytes, a directory as with a slash", () => {
    const order = (...names: [string, boolean][]) => names.toSorted((a, b) => compareTreeNames(...a, ...b)).map(([name]) => name);
    expect(order(["a", true], ["a.b", false], ["a0", false], ["a-", false])).toEqual(["a-", "a.b", "a", "a0"]);
    expect(order(["\u{1f600}", false], ["\uff5e", false])).toEqual(["\uff5e", "\u{1f600}"]);
  });
});
