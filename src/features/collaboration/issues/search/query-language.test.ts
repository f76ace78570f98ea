import { expect, test } from "vitest";
import { type QueryTerm, readTypedQuery, type TypedQuery, valuesOfKey, withNone, withOrder, withState, withToggled, withValue } from "./query-language.ts";

const nowMs = Date.parse("2024-05-15T10:00:00Z");
const nothing: TypedQuery = { state: "all", type: undefined, terms: [], words: [], searched: [], order: "newest", unknown: [] };
const at = (text: string): number => Date.parse(text);
const positive = { isNegated: false } as const;
const label = (...values: string[]): QueryTerm => ({ kind: "label", values, ...positive });
const span = (subject: "created" | "updated" | "closed" | "merged" | "comments", from: number, to: number): QueryTerm => ({
  kind: "span",
  subject,
  spans: [{ from, to }],
  ...positive,
});
const [always, never] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

test.each<[string, Partial<TypedQuery>]>([
  ["", {}],
  ["crash on start", { words: ["crash", "on", "start"] }],
  ['is:closed label:bug label:"good first issue" "two words"', { state: "closed", terms: [label("bug"), label("good first issue")], words: ["two words"] }],
  ['label:bug,"good first issue",ui', { terms: [label("bug", "good first issue", "ui")] }],
  [
    "-label:bug no:label -no:milestone has:assignee",
    {
      terms: [
        { kind: "label", values: ["bug"], isNegated: true },
        { kind: "fact", fact: "label", isNegated: true },
        { kind: "fact", fact: "milestone", isNegated: false },
        { kind: "fact", fact: "assignee", isNegated: false },
      ],
    },
  ],
  [
    "author:@me,@ada -involves:bob assignee:* review-requested:eve",
    {
      terms: [
        { kind: "person", role: "author", values: ["@me", "ada"], ...positive },
        { kind: "person", role: "involves", values: ["bob"], isNegated: true },
        { kind: "fact", fact: "assignee", ...positive },
        { kind: "person", role: "review-requested", values: ["eve"], ...positive },
      ],
    },
  ],
  ["is:issue state:open", { type: "issues", state: "open" }],
  ["type:pr -is:closed", { type: "pulls", state: "open" }],
  [
    "is:merged is:unmerged -is:locked draft:true draft:false is:draft linked:pr",
    {
      terms: [
        { kind: "fact", fact: "merged", ...positive },
        { kind: "fact", fact: "merged", isNegated: true },
        { kind: "fact", fact: "locked", isNegated: true },
        { kind: "fact", fact: "draft", ...positive },
        { kind: "fact", fact: "draft", isNegated: true },
        { kind: "fact", fact: "draft", ...positive },
        { kind: "fact", fact: "linked", ...positive },
      ],
    },
  ],
  ["review:none,changes-requested", { terms: [{ kind: "review", values: ["none", "changes_requested"], ...positive }] }],
  ["in:title,body in:comments proxy", { searched: ["title", "body", "comments"], words: ["proxy"] }],
  ["created:2024-02", { terms: [span("created", at("2024-02-01T00:00:00Z"), at("2024-03-01T00:00:00Z") - 1)] }],
  ["updated:>2024-02-29", { terms: [span("updated", at("2024-03-01T00:00:00Z"), never)] }],
  ["closed:<=2023", { terms: [span("closed", always, at("2024-01-01T00:00:00Z") - 1)] }],
  ["merged:2024-01-01..2024-01-31", { terms: [span("merged", at("2024-01-01T00:00:00Z"), at("2024-02-01T00:00:00Z") - 1)] }],
  ["created:*..2024-01-01T12:30:00+02:00", { terms: [span("created", always, at("2024-01-01T10:30:00Z") + 999)] }],
  ["updated:>=@today-1w", { terms: [span("updated", at("2024-05-08T00:00:00Z"), never)] }],
  ["created:@today", { terms: [span("created", at("2024-05-15T00:00:00Z"), at("2024-05-16T00:00:00Z") - 1)] }],
  ["comments:>0", { terms: [span("comments", 1, never)] }],
  ["comments:2..10", { terms: [span("comments", 2, 10)] }],
  ["comments:<3", { terms: [span("comments", always, 2)] }],
  [
    "repo:ada/garden,ada/shed org:guild -user:eve base:main head:topic",
    {
      terms: [
        { kind: "repo", values: ["ada/garden", "ada/shed"], ...positive },
        { kind: "owner", values: ["guild"], ...positive },
        { kind: "owner", values: ["eve"], isNegated: true },
        { kind: "base", values: ["main"], ...positive },
        { kind: "head", values: ["topic"], ...positive },
      ],
    },
  ],
  ["sort:comments", { order: "most-commented" }],
  ["sort:created-asc", { order: "oldest" }],
  ["is:strange std::vector http://example.com/x", { unknown: ["is:strange"], words: ["std::vector", "http://example.com/x"] }],
  ["lable:bug Error:x 12:30 no:reason", { unknown: ["lable:bug", "no:reason"], words: ["Error:x", "12:30"] }],
  [
    "created:soon created:2024-13 created:2024-02-31 comments:many -sort:updated",
    {
      unknown: ["created:soon", "created:2024-13", "created:2024-02-31", "comments:many", "-sort:updated"],
    },
  ],
  [
    "is:open,closed in:nowhere review:maybe constructor:x is:constructor",
    {
      unknown: ["is:open,closed", "in:nowhere", "review:maybe", "constructor:x", "is:constructor"],
    },
  ],
  ['label:"never ended', { terms: [label("never ended")] }],
  ['label:"" x', { terms: [label("")], words: ["x"] }],
  ["label: x", { words: ["label:", "x"] }],
])("%s", (typed, expected) => {
  expect(readTypedQuery(typed, nowMs)).toEqual({ ...nothing, ...expected });
});

test("reads a long text without a space in little time, as one word", () => {
  const long = `${"a-".repeat(50_000)}:`;
  expect(readTypedQuery(long, nowMs).words).toEqual([long]);
  expect(readTypedQuery('"'.repeat(9_999), nowMs).words).toEqual([]);
});

test("replaces the state of a query", () => {
  expect(withState('is:open label:bug,"c d" "a b"', "closed")).toBe('is:closed label:bug,"c d" "a b"');
  expect(withState("state:closed is:merged", "open")).toBe("is:open is:merged");
  expect(withState("is:open crash", "all")).toBe("crash");
});

test("replaces the order of a query and omits the default order", () => {
  expect(withOrder('is:open sort:updated "a b"', "oldest")).toBe('is:open "a b" sort:created-asc');
  expect(withOrder("sort:updated-asc", "newest")).toBe("");
});

test("adds, replaces and removes values of qualifiers as they can be typed", () => {
  expect(withValue("is:open author:ada -author:eve", "author", "bob")).toBe("is:open -author:eve author:bob");
  expect(withValue('is:open milestone:"1.0 beta" no:milestone', "milestone", undefined)).toBe("is:open");
  expect(withValue("is:open", "milestone", 'a "b", c')).toBe('is:open milestone:"a b, c"');
  expect(withNone("is:open assignee:ada", "assignee")).toBe("is:open no:assignee");
  expect(withToggled("is:open no:label", "label", "good first issue")).toBe('is:open label:"good first issue"');
  expect(withToggled('is:open label:"good first issue" label:bug', "label", "good first issue")).toBe("is:open label:bug");
  expect(valuesOfKey('label:bug,"a b" -label:c label:d', "label")).toEqual(["bug", "a b", "d"]);
});
