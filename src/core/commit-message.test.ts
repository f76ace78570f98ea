import { expect, test } from "vitest";
import { messageBody, messageTitle, shownMessage } from "./commit-message.ts";

test("a message is a title and a body", () => {
  expect([messageTitle("one\n\ntwo\nthree\n"), messageBody("one\n\ntwo\nthree\n")]).toEqual(["one", "two\nthree"]);
  expect([messageTitle(""), messageBody(""), messageTitle("one"), messageBody("one"), messageTitle("\ntwo")]).toEqual(["", "", "one", "", ""]);
});

test("a title has at most 500 characters, a body 100,000, and a pair of surrogates is not separated", () => {
  const long = `${"a".repeat(499)}😀${"b".repeat(1_000_000)}`;
  expect(messageTitle(long)).toBe(`${"a".repeat(499)}\ufffd…`);
  expect(messageTitle("c".repeat(500))).toBe("c".repeat(500));
  expect([messageBody(`x\n${long}`).length, shownMessage(long).length, shownMessage(long, 10).length]).toEqual([100_001, 100_001, 11]);
});
