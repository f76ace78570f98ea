import { expect, test } from "vitest";
import { flagIn, idIn, objectIn, objectsIn, oidIn, textIn, textsIn, timeIn } from "./foreign-json.ts";

const oid = "0123456789".repeat(4);

test.each([
  [
    "text",
    (value: unknown) => textIn({ value }, "value", 5),
    ["abcdefg", "abcde"],
    ["a\0b\ud800", "ab\ufffd"],
    [7, ""],
    [{ a: 1 }, ""],
    [["x"], ""],
    [null, ""],
  ],
  [
    "texts",
    (value: unknown) => textsIn({ value }, "value", 5),
    [
      ["a", 1, {}, "b"],
      ["a", "b"],
    ],
    ["a", []],
    [{ 0: "a" }, []],
  ],
  ["id", (value: unknown) => idIn({ value }, "value"), [7, 7], ["7", 0], [-1, 0], [1.5, 0], [2 ** 53, 0], [Number.NaN, 0], [[7], 0], [true, 0]],
  [
    "object id",
    (value: unknown) => oidIn({ value }, "value"),
    [oid, oid],
    [oid.slice(1), undefined],
    ["--output=/tmp/pwned", undefined],
    [`${oid}\n`, undefined],
    [[oid], undefined],
  ],
  ["flag", (value: unknown) => flagIn({ value }, "value"), [true, true], ["true", false], [1, false], [{}, false]],
  [
    "time",
    (value: unknown) => timeIn({ value }, "value"),
    ["1970-01-01T00:00:01Z", 1_000],
    ["0001-01-01T00:00:00Z", null],
    ["yesterday", null],
    [1_000, null],
    [["1970-01-01T00:00:01Z"], null],
  ],
  ["object", (value: unknown) => objectIn({ value }, "value"), [{ a: 1 }, { a: 1 }], [[1], {}], ["x", {}], [null, {}]],
  ["objects", objectsIn, [[{ a: 1 }, 2, null, []], [{ a: 1 }]], [{ 0: {} }, []], ["x", []]],
] as const)("what is no %s reads as none", (_kind, read, ...cases) => {
  for (const [value, expected] of cases) expect([value, read(value)]).toEqual([value, expected]);
});
