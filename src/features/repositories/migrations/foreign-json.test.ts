import { expect, test } from "vitest";
import { type Foreign, flagIn, idIn, objectIn, objectsIn, oidIn, textIn, textsIn, timeIn } from "./foreign-json.ts";

const oid = "0123456789".repeat(4);
const at = "1970-01-01T00:00:01Z";

interface Case {
  readonly kind: string;
  readonly read: (of: Foreign) => unknown;
  /** Pairs of input and parsed value. */
  readonly values: readonly (readonly [unknown, unknown])[];
}

const cases: readonly Case[] = [
  {
    kind: "text",
    read: (of) => textIn(of, "value", 5),
    values: [
      ["abcdefg", "abcde"],
      ["a\0b\ud800", "ab\ufffd"],
      [7, ""],
      [{ a: 1 }, ""],
      [["x"], ""],
      [null, ""],
    ],
  },
  {
    kind: "texts",
    read: (of) => textsIn(of, "value", 5),
    values: [
      [
        ["a", 1, {}, "b"],
        ["a", "b"],
      ],
      ["a", []],
      [{ 0: "a" }, []],
    ],
  },
  {
    kind: "id",
    read: (of) => idIn(of, "value"),
    values: [
      [7, 7],
      ["7", 0],
      [-1, 0],
      [1.5, 0],
      [2 ** 53, 0],
      [Number.NaN, 0],
      [[7], 0],
      [true, 0],
    ],
  },
  {
    kind: "object id",
    read: (of) => oidIn(of, "value"),
    values: [
      [oid, oid],
      [oid.slice(1), undefined],
      ["--output=/tmp/pwned", undefined],
      [`${oid}\n`, undefined],
      [[oid], undefined],
    ],
  },
  {
    kind: "flag",
    read: (of) => flagIn(of, "value"),
    values: [
      [true, true],
      ["true", false],
      [1, false],
      [{}, false],
    ],
  },
  {
    kind: "time",
    read: (of) => timeIn(of, "value"),
    values: [
      [at, 1_000],
      ["0001-01-01T00:00:00Z", null],
      ["yesterday", null],
      [1_000, null],
      [[at], null],
    ],
  },
  {
    kind: "object",
    read: (of) => objectIn(of, "value"),
    values: [
      [{ a: 1 }, { a: 1 }],
      [[1], {}],
      ["x", {}],
      [null, {}],
    ],
  },
  {
    kind: "list of objects",
    read: ({ value }) => objectsIn(value),
    values: [
      [[{ a: 1 }, 2, null, []], [{ a: 1 }]],
      [{ 0: {} }, []],
      ["x", []],
    ],
  },
];

test.each(cases)("a value that is not a $kind is parsed as the default", ({ read, values }) => {
  for (const [value, expected] of values) expect([value, read({ value })]).toEqual([value, expected]);
});
