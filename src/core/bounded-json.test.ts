import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countTurnsOf } from "../../test/kit/turns.ts";
import { JsonCostError, maxJsonCost, parseBoundedJson, parseSmallJson } from "./bounded-json.ts";

const bytes = (text: string): Buffer => Buffer.from(text);

describe("bounded JSON", () => {
  test("is parsed like JSON.parse", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = JSON.stringify(value);
        expect(await parseBoundedJson(bytes(text))).toEqual(JSON.parse(text));
        expect(parseSmallJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
    await expect(parseBoundedJson(bytes("[1,]"))).rejects.toThrow(SyntaxError);
  });

  test.each([
    ["empty lists", `[${"[],".repeat(maxJsonCost / 2)}1]`],
    ["empty objects", `[${"{},".repeat(maxJsonCost / 3)}1]`],
    ["members of one object", `{${Array.from({ length: maxJsonCost / 6 }, (_, at) => `"${at}":1`).join()}}`],
    ["nested lists", "[".repeat(maxJsonCost)],
    ["numbers", `[${"1,".repeat(maxJsonCost)}1]`],
  ])("rejects JSON with too many %s before it is parsed", async (_name, text) => {
    await expect(parseBoundedJson(bytes(text))).rejects.toThrow(JsonCostError);
    expect(() => parseSmallJson(bytes(text))).toThrow(JsonCostError);
  });

  test("may have any characters in its strings, also across the pieces of the scan", async () => {
    const value = [`${'[{,:"\\'.repeat(600_000)}`, "end"];
    expect(await parseBoundedJson(bytes(JSON.stringify(value)))).toEqual(value);
    // A backslash and a quote on both sides of the limit between two pieces.
    for (const shift of [0, 1, 2, 3]) {
      const text = `["${"x".repeat(1024 * 1024 - 4 - shift)}\\"${",".repeat(maxJsonCost)}"]`;
      expect(await parseBoundedJson(bytes(text))).toEqual(JSON.parse(text));
    }
  });

  test("contains the same values if long strings are decoded apart", async () => {
    const long = "0123456789abcdef".repeat(70_000);
    for (const value of [
      long,
      [long, 1, `${long}z`],
      { a: { b: [long, null], c: "short" }, d: long },
      { [long]: 1, e: long },
      [`${long}\n`, `${long}é`, long],
    ]) {
      for (const space of [undefined, 2]) expect(await parseBoundedJson(bytes(JSON.stringify(value, null, space)))).toEqual(value);
    }
    const proto = `{"__proto__":"${long}","x":1}`;
    expect(Object.entries((await parseBoundedJson(bytes(proto))) as object)).toEqual([
      ["__proto__", long],
      ["x", 1],
    ]);
    const nested = `${"[".repeat(100_000)}"${long}"${"]".repeat(100_000)}`;
    expect((await parseBoundedJson(bytes(nested))) as unknown[]).toHaveLength(1);
    for (const broken of [`["${long}"`, `{"a":"${long}",}`, `["${long}\t"]`]) await expect(parseBoundedJson(bytes(broken))).rejects.toThrow(SyntaxError);
  });

  test("scans and parses JSON of several megabytes in several turns of the event loop", async () => {
    const text = JSON.stringify(["x".repeat(5_000_000)]);
    expect(await countTurnsOf(() => parseBoundedJson(bytes(text)))).toBeGreaterThanOrEqual(5);
    expect(await countTurnsOf(() => parseBoundedJson(bytes("[]")))).toBe(0);
  });
});
