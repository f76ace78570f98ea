import { expect, test } from "vitest";
import { readTypedQuery, withOrder, withState } from "./query-language.ts";

const nothing = { state: "open", labels: [], milestones: [], author: "", assignee: "", mentions: "", order: "newest", unknown: [], text: "" };

test.each([
  ["", nothing],
  ["crash on start", { ...nothing, text: "crash on start" }],
  [
    'is:closed label:bug label:"good first issue" author:ada crash',
    { ...nothing, state: "closed", labels: ["bug", "good first issue"], author: "ada", text: "crash" },
  ],
  ['is:all assignee:bob mentions:eve milestone:"1.0 beta"', { ...nothing, state: "all", assignee: "bob", mentions: "eve", milestones: ["1.0 beta"] }],
  ["is:strange std::vector http://example.com/x", { ...nothing, unknown: ["is:strange"], text: "std::vector http://example.com/x" }],
  ["lable:bug -label:bug no:assignee Error:x 12:30", { ...nothing, unknown: ["lable:bug", "-label:bug", "no:assignee"], text: "Error:x 12:30" }],
  ['label:"never ended', { ...nothing, labels: ["never ended"] }],
  ["sort:updated crash", { ...nothing, order: "updated", text: "crash" }],
  ["sort:created-asc sort:strange", { ...nothing, order: "oldest", unknown: ["sort:strange"] }],
  ['"two words" label: x', { ...nothing, text: "two words label: x" }],
])("%s", (typed, expected) => {
  expect(readTypedQuery(typed)).toEqual(expected);
});

test("replaces the state of a query", () => {
  expect(withState('is:open label:bug "a b"', "closed")).toBe('is:closed label:bug "a b"');
  expect(withState("", "all")).toBe("is:all");
});

test("replaces the order of a query and omits the default order", () => {
  expect(withOrder('is:open sort:updated "a b"', "oldest")).toBe('is:open "a b" sort:created-asc');
  expect(withOrder("sort:updated-asc", "newest")).toBe("");
});
