import { expect, test } from "vitest";
import { fill, fillText } from "./fill.ts";

test("a text is filled in the order of its language, and values are not read as texts", () => {
  const parts = { object: "{when}", when: "now" };
  expect(fill("closed {object} {when}", parts)).toEqual(["closed ", "{when}", " ", "now", ""]);
  expect(fill("hat {when} {object} geschlossen", parts)).toEqual(["hat ", "now", " ", "{when}", " geschlossen"]);
});

test("a name without a value is left out, and leaves no second space in a string", () => {
  expect(fill("{unknown}", {})).toEqual(["", "", ""]);
  expect(fillText("hat {when} {object} geschlossen", { object: "#1" })).toBe("hat #1 geschlossen");
});
