import { expect, test } from "vitest";
import { readWideQuery } from "./wide-query.ts";

const nothing = {
  state: "open",
  labels: [],
  milestones: [],
  author: "",
  text: "",
  owner: "",
  isOwn: false,
  isAssigned: false,
  isMentioned: false,
  isRequested: false,
  isReviewed: false,
  asksForAnother: false,
  order: "newest",
  unknown: [],
};

test.each([
  ["is:open review-requested:@me crash", { isRequested: true, text: "crash" }],
  ["is:closed author:@me label:bug", { state: "closed", isOwn: true, labels: ["bug"] }],
  ["author:Ada assignee:@me mentions:ADA", { isOwn: true, isAssigned: true, isMentioned: true }],
  ["owner:guild reviewed-by:@me", { owner: "guild", isReviewed: true }],
  ["author:bob sort:updated", { author: "bob", order: "updated" }],
  ["assignee:bob", { asksForAnother: true }],
  ['say "owner is" preview-requested:@me', { text: "say owner is", unknown: ["preview-requested:@me"] }],
])("%s", (typed, found) => {
  expect(readWideQuery(typed, "ada")).toEqual({ ...nothing, ...found });
});
