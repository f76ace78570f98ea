import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { expressionSize, maxExpressionSize } from "./expression-size.ts";

const repeat = (part: string, length: number): string => part.repeat(Math.floor(length / part.length));

test.each([
  "a",
  "src/.*\\.ts",
  "(a|b|c)+[a-z]{2,5}x?",
  "(a{3}|b{2,9}){4}",
  "\\pL{7}",
  "((a{4}){4}){4}",
  "[[:alpha:]\\d]{30}",
  "(?i)abc{20}",
  "a{0,30}b{5,}",
  "\\(a{9}",
])("is at least the size of the compiled program of %s", (source) => {
  expect(expressionSize(source) + 3).toBeGreaterThanOrEqual(RE2JS.compile(source).programSize());
});

test.each([
  repeat("a{999}", 490),
  repeat("\\pL{999}", 490),
  "((a{10}){10}){10}",
  repeat("(a|b|c){333}", 490),
  repeat("[^a]{50}", 490),
  "(".repeat(400) + "a{3}".repeat(20) + "){9}".repeat(400),
])("the size of the expensive expression %s is above the limit", (source) => expect(expressionSize(source)).toBeGreaterThan(maxExpressionSize));

test.each(["^v\\d+\\.\\d+\\.\\d+$", "(frontend|backend)/.*\\.(ts|tsx|css)", "[A-Z]{2,10}-\\d{1,6}", "\\p{L}+"])(
  "is within the limit for the ordinary expression %s",
  (source) => expect(expressionSize(source)).toBeLessThan(maxExpressionSize),
);
