import { expect, test } from "vitest";
import { readColor } from "./color.ts";

test.each([
  ["#FF00aa", "ff00aa"],
  ["00AABB", "00aabb"],
  ["#eEe", "eeeeee"],
  ["abc", "aabbcc"],
  [" #123456 ", "123456"],
])("normalizes %j to %s", (text, color) => expect(readColor(text)).toBe(color));

test.each([
  ["red", "#red"],
  ["orange", "#orange"],
  ["blue", "blue"],
  ["##abc", "##abc"],
  ["", ""],
  ["12345", "12345"],
  ["#12345678", "#12345678"],
  ["١٢٣", "#١٢٣"],
])("rejects %j as a color", (text, shown) => expect(() => readColor(text)).toThrow(`invalid color: ${shown}`));
